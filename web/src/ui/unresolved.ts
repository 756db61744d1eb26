/** Marks an input whose text stands for no value, such as a day that does not exist. */
export const UNRESOLVED = 'data-unresolved'

/** Puts the focus on the first such input of a form; false when there is none, and the form may be sent. */
export function focusUnresolved(form: EventTarget | null | undefined): boolean {
  const input = form instanceof HTMLFormElement ? form.querySelector<HTMLElement>(`[${UNRESOLVED}]`) : null
  input?.focus()
  return Boolean(input)
}
