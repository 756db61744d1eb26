/**
 * What statements still owe a cluster (`spread-statements.ts`), and why. It may only get shorter: one that no statement of the whole suite
 * needs fails it, and so does a statement that is not excused.
 */
export const EXCUSED = new Map<string, string>()
