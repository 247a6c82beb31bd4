import { once } from 'node:events'
import { request as ask, createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A proxy in front of the service, behind which processes of another build can take its place, or none. */
export interface Front extends AsyncDisposable {
  readonly url: string
  /** The address of the service. */
  target: string
  /** The builds that answer, in turn. A letter is a build of its own: its files have other names. */
  builds: readonly string[]
  /** Whether no process is there. */
  isDown: boolean
  /** How many of the next pages break off in their middle. */
  cuts: number
  /** The addresses of every request. */
  readonly asked: string[]
}

const named = /([\w-]+-[\w-]{8})\.(js|css)\b/g

export async function startFront(): Promise<Front> {
  const server = createServer((request, response) => void answer(request, response))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  let turn = 0
  const front: Front = {
    url,
    target: '',
    builds: [''],
    isDown: false,
    cuts: 0,
    asked: [],
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const address = request.url ?? '/'
    front.asked.push(address)
    if (front.isDown) return void response.writeHead(502, { 'content-type': 'text/html' }).end('<h1>Bad gateway</h1>')
    const build = front.builds[turn++ % front.builds.length] ?? ''
    const { 'accept-encoding': _coding, 'if-none-match': known, ...headers } = request.headers
    const isFile = /^\/assets\/.*\.(js|css)$/.test(address)
    const path = isFile ? ownName(address, build) : address
    const upstream = ask(`${front.target}${path}`, {
      method: request.method ?? 'GET',
      headers: { ...headers, ...(build === '' && known !== undefined && { 'if-none-match': known }) },
    })
    request.pipe(upstream)
    const [reply] = (await once(upstream, 'response')) as [IncomingMessage]
    const type = String(reply.headers['content-type'] ?? '')
    if (front.cuts > 0 && type.startsWith('text/html')) {
      front.cuts--
      const page = Buffer.concat(await reply.toArray())
      response.writeHead(reply.statusCode ?? 500, reply.headers)
      response.write(page.subarray(0, page.length / 2), () => response.destroy())
      return
    }
    if (build === '' || !/^text\/(html|javascript)/.test(type)) {
      response.writeHead(reply.statusCode ?? 500, reply.headers)
      reply.pipe(response)
      return
    }
    const text = Buffer.concat(await reply.toArray()).toString()
    const own = text.replace(named, `$1.${build}.$2`).replace(/(website [\w-]+)/, `$1${build}`)
    const { etag: _tag, 'content-length': _length, ...others } = reply.headers
    response.writeHead(reply.statusCode ?? 500, { ...others, etag: `"build-${build}"` }).end(own)
  }
  return front
}

/** The name in the folder of the pages; another one where the file is not of this build. */
function ownName(address: string, build: string): string {
  const letter = /\.(\w)\.(?:js|css)$/.exec(address)?.[1] ?? ''
  return letter === build ? address.replace(/\.\w(\.(?:js|css))$/, '$1') : `${address}.missing`
}
