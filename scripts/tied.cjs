// Loaded before what must not outlive the process that started it; its worker threads load it too, without a channel.
if (process.channel) {
  process.on('disconnect', () => process.exit(1))
  process.channel.unref()
}
