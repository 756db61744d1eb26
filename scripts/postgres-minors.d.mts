type Minors = Record<string, number>
export function newerMinors(recorded: Minors, found: [major: number, minor: number][]): Minors
export function refreshMinors(npmVersions: () => string[]): Promise<void>
