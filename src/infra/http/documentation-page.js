// Runs in browsers, on the page of the reference: shows it, and gives it a token to try operations with.

const configuration = {
  url: '/api/openapi.json',
  telemetry: false,
  withDefaultFonts: false,
  persistAuth: false,
  proxyUrl: '',
  // What belongs to the makers of the library: their tools, and what would send the description to them.
  showDeveloperTools: 'never',
  hideClientButton: true,
  agent: { disabled: true },
  mcp: { disabled: true },
  orderSchemaPropertiesBy: 'preserve',
  customCss: '.scalar-reference-intro-clients { display: none }',
}

const reference = window.Scalar.createApiReference('#app', configuration)

const [standing, copy, signOut, signIn] = ['standing', 'copy', 'sign-out', 'sign-in'].map((id) =>
  document.getElementById(id),
)

/** In this page's memory alone. */
let token = null

function use(given, words) {
  token = given
  const authentication = { preferredSecurityScheme: 'bearer', securitySchemes: { bearer: { token: token ?? '' } } }
  reference.updateConfiguration({ ...configuration, authentication })
  standing.textContent = words
  for (const button of [copy, signOut]) button.hidden = token === null
  signIn.hidden = token !== null
}

/** Exchanges the website's cookie for a token, after a sign-in where there is none. */
async function begin(mayLeave) {
  const reply = await fetch('/api/auth/token', { method: 'POST' })
  if (reply.status === 401 && mayLeave) {
    location.assign(`/api/auth/chat?${new URLSearchParams({ return_to: '/api/docs/?signed-in' })}`)
    return
  }
  if (!reply.ok) {
    standing.textContent = await reply.text()
    return
  }
  const given = (await reply.json()).token
  const me = await fetch('/api/users/@me', { headers: { authorization: `Bearer ${given}` } })
  const { preferredName } = await me.json()
  use(given, `You try operations as ${preferredName}.`)
}

signIn.addEventListener('click', () => begin(true))
signOut.addEventListener('click', async () => {
  await fetch('/api/auth/sign-out', { method: 'POST' })
  use(null, 'You are signed out, and the token is no longer good.')
})
copy.addEventListener('click', async () => {
  await navigator.clipboard.writeText(token)
  standing.textContent = 'The token is copied. Whoever has it can act as you until you sign out.'
})

if (new URLSearchParams(location.search).has('signed-in')) {
  history.replaceState(null, '', location.pathname + location.hash)
  void begin(false)
}
