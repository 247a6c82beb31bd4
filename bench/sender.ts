import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { Agent, type IncomingMessage, request } from 'node:http'
import { text } from 'node:stream/consumers'
import { loop } from './load.ts'

/**
 * A process that uploads a picture repeatedly, several times in parallel, until it is told to end. It is a process of
 * its own, so that it shares neither event loop nor heap with the benchmark.
 */

interface Place {
  readonly url: string
  readonly token: string
  readonly tournament: string
}

export interface Sending extends Place {
  /** The path of a file. */
  readonly picture: string
  readonly atOnce: number
}

const agent = new Agent({ keepAlive: true })
const boundary = randomBytes(16).toString('hex')
const before = Buffer.from(
  `--${boundary}\r\ncontent-disposition: form-data; name="file"; filename="stage.jpg"\r\ncontent-type: image/jpeg\r\n\r\n`,
)
const behind = Buffer.from(`\r\n--${boundary}--\r\n`)

/**
 * Uploads the picture without copying it, because the processor time of the sender is taken from the measured service.
 * @throws Error when it is refused
 */
export async function sendPicture({
  url,
  token,
  tournament,
  picture,
}: Place & { readonly picture: Uint8Array }): Promise<void> {
  // Random bytes after the end of the picture make it a new upload, which is decoded again.
  const pieces = [before, picture, randomBytes(8), behind]
  const sending = request(`${url}/api/media?kind=update_image&tournament=${tournament}`, {
    method: 'POST',
    agent,
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': `multipart/form-data; boundary=${boundary}`,
      'content-length': pieces.reduce((bytes, piece) => bytes + piece.length, 0),
    },
  })
  for (const piece of pieces) sending.write(piece)
  sending.end()
  const [response] = (await once(sending, 'response')) as [IncomingMessage]
  const answer = await text(response)
  if (response.statusCode !== 201) throw new Error(`the upload was answered ${response.statusCode}: ${answer}`)
}

if (import.meta.main) {
  let told = ''
  for await (const part of process.stdin.setEncoding('utf8')) {
    told += part
    if (told.endsWith('\n')) break
  }
  const { picture, ...sending } = JSON.parse(told) as Sending
  const bytes = await readFile(picture)
  let isOver = false
  process.once('SIGTERM', () => {
    isOver = true
  })
  console.log('begins')
  await loop(() => (isOver ? undefined : () => sendPicture({ ...sending, picture: bytes })), sending.atOnce)
}
