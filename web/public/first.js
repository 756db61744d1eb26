// Before anything else arrives.
function kept(name) {
  try {
    return localStorage.getItem(`maestranza.${name}`)
  } catch {
    return null
  }
}

// Whoever chose the light theme never sees a dark flash.
if (kept('theme') === 'light') document.documentElement.setAttribute('data-mantine-color-scheme', 'light')

// Who this is, asked while the application is on its way: `call` takes the answer up.
const [token, company] = [kept('token'), kept('company')]
if (token) {
  const headers = { Authorization: `Bearer ${token}`, ...(company && { 'X-Company-Id': company }) }
  const answer = fetch('/api/v1/me', { headers })
  answer.catch(() => {})
  window.asked = { url: '/api/v1/me', headers, answer }
}
