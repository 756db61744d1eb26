/**
 * What statements still owe a cluster (`spread-statements.ts`), and why. It may only get shorter: one that no statement of the whole suite
 * needs fails it, and so does a statement that is not excused.
 */
export const EXCUSED = new Map([
  ['mixed: incoming', 'imports lay what comes in beside what is there, in a temporary table of the coordinator'],
  ['mixed: undoing', 'so does taking one back'],
])
