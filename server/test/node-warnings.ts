/** Sends the warnings of Node to the console, which vitest captures for the running test; Node itself prints none. */
function toConsole(warning: Error) {
  console.warn(warning.stack)
}

// Test files share a process, and each of them runs this file.
if (!process.listeners('warning').some(({ name }) => name === toConsole.name)) process.on('warning', toConsole)
