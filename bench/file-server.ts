import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { createServer } from 'node:http'
import { pipeline } from 'node:stream'

/** The baseline of delivery: `node:http` streaming one file, or a range of it, with headers from standard input. */
let text = ''
for await (const chunk of process.stdin) text += chunk
const { headers, file } = JSON.parse(text) as { headers: Record<string, string>; file: string }
const { size } = await stat(file)

const server = createServer((request, response) => {
  const [, first = '', last = ''] = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '') ?? []
  if (first === '') {
    response.writeHead(200, { ...headers, 'content-length': size })
    pipeline(createReadStream(file), response, () => {})
    return
  }
  const [start, end] = [Number(first), Number(last)]
  const ranged = { 'content-length': end - start + 1, 'content-range': `bytes ${start}-${end}/${size}` }
  response.writeHead(206, { ...headers, ...ranged })
  pipeline(createReadStream(file, { start, end }), response, () => {})
})
server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  if (typeof address === 'object') console.log(address?.port)
})
