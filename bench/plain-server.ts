import { createServer } from 'node:http'

/**
 * The baseline of cached reads: `node:http` sending one response, which is read from standard input as JSON, to every
 * caller.
 */
let text = ''
for await (const chunk of process.stdin) text += chunk
const { headers, body } = JSON.parse(text) as { headers: Record<string, string>; body: string }
const bytes = Buffer.from(body, 'base64')

const server = createServer((_request, response) => {
  response.writeHead(200, headers)
  response.end(bytes)
})
server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  if (typeof address === 'object') console.log(address?.port)
})
