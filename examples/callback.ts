import { createServer } from 'node:http'

/** What a browser brings back to the redirect address. */
interface Answer {
  readonly code: string
  readonly state: string
  readonly iss: string
}

/** Listens on a redirect address of this machine until the user's browser comes back to it. */
export function callback(redirectUri: string): Promise<Answer> {
  const { hostname, port, pathname } = new URL(redirectUri)
  const { promise, resolve, reject } = Promise.withResolvers<Answer>()
  const server = createServer((request, response) => {
    const asked = new URL(request.url ?? '/', redirectUri)
    const isAnswer = asked.pathname === pathname
    response.writeHead(isAnswer ? 200 : 404, { connection: 'close', 'content-type': 'text/plain' })
    response.end(isAnswer ? 'You can close this page.' : 'There is nothing here.')
    if (!isAnswer) return
    server.close()
    const { error, code = '', state = '', iss = '' } = Object.fromEntries(asked.searchParams)
    if (error === undefined) resolve({ code, state, iss })
    else reject(new Error(`No code, but ${error}.`))
  })
  server.on('error', reject).listen(Number(port), hostname)
  return promise
}
