// Before the first paint, so that whoever chose the light theme never sees a dark flash.
function keptTheme() {
  try {
    return localStorage.getItem('maestranza.theme')
  } catch {
    return null
  }
}
if (keptTheme() === 'light') document.documentElement.setAttribute('data-mantine-color-scheme', 'light')
