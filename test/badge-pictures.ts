import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import sharp from 'sharp'

/** Imitates a ranking platform's host of badge pictures, each at an address of its own. */
export interface PictureHost extends AsyncDisposable {
  readonly url: string
  /** The paths of all requests. */
  readonly asked: readonly string[]
  /** @returns the address of a unique picture, or of the given bytes */
  add(bytes?: Uint8Array): Promise<string>
  /** Replaces the content of an address; null for a missing picture. */
  change(url: string, bytes: Uint8Array | null): void
}

let colours = 0x102030

export async function badgePicture(width = 80, height = 30): Promise<Buffer> {
  colours += 0x030507
  const background = `#${(colours & 0xffffff).toString(16).padStart(6, '0')}`
  return sharp({ create: { width, height, channels: 3, background } })
    .png()
    .toBuffer()
}

export async function startPictureHost(): Promise<PictureHost> {
  const files = new Map<string, Uint8Array>()
  const asked: string[] = []
  const server = createServer(({ url = '' }, response) => {
    asked.push(url)
    const file = files.get(url)
    if (file === undefined) response.writeHead(404).end()
    else response.end(file)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    url: origin,
    asked,
    async add(bytes) {
      const path = `/badges/${files.size + 1}.png`
      files.set(path, bytes ?? (await badgePicture()))
      return `${origin}${path}`
    },
    change(url, bytes) {
      const path = url.slice(origin.length)
      if (bytes === null) files.delete(path)
      else files.set(path, bytes)
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
