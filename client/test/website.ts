import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { stripTypeScriptTypes } from 'node:module'
import type { AddressInfo } from 'node:net'
import path from 'node:path'

/** A website of a third party whose page uses the client as modules, without a build. */
export interface Website extends AsyncDisposable {
  readonly url: string
}

/** The policy forbids evaluated text, and HTML that is put into the page. (CSP 3; Trusted Types) */
const policy =
  "default-src 'none'; script-src 'self'; connect-src *; img-src data:; require-trusted-types-for 'script'; trusted-types 'none'"

const page = `<!doctype html><html lang="en"><meta charset="utf-8"><link rel="icon" href="data:,"><title>A page</title>
<script type="module" src="/test/page.ts"></script><main></main></html>`

const root = path.join(import.meta.dirname, '..')

export async function startWebsite(): Promise<Website> {
  const server = createServer(async (request, response) => {
    const file = /^\/(?:test\/)?\w+\.ts$/.exec(request.url ?? '')?.[0]
    if (file === undefined) {
      response.writeHead(200, { 'content-type': 'text/html', 'content-security-policy': policy }).end(page)
      return
    }
    const text = await readFile(path.join(root, file), 'utf8')
    response.writeHead(200, { 'content-type': 'text/javascript' }).end(stripTypeScriptTypes(text))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
