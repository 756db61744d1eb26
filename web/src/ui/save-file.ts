/** Hands a file to the browser, to be kept where the person keeps them. */
export function saveFile(blob: Blob, name: string) {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(blob)
  link.download = name
  link.click()
  // The download starts after the click returns.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000)
}
