/** A table of words, as a field or a filter offers them. */
export const choicesOf = (words: Record<string, { label: string }>) =>
  Object.entries(words).map(([value, { label }]) => ({ value, label }))

/** Rows with a name, as a filter offers them. */
export const named = (rows: { id: number; name: string }[] | undefined) =>
  rows?.map(({ id, name }) => ({ value: String(id), label: name }))
