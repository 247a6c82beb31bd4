import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { Agent, type IncomingMessage, request } from 'node:http'
import { text } from 'node:stream/consumers'
import { loop } from './load.ts'

/**
 * A process that sends a picture again and again, many at once, until it is told to end: beside whoever measures, in no event
 * loop and no heap of theirs.
 */

interface Place {
  readonly url: string
  readonly token: string
  readonly tournament: string
}

export interface Sending extends Place {
  /** A file. */
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
 * Hands the kernel the picture as it lies there: what a sender does with it takes processor time from what is measured.
 * @throws Error where it is not taken
 */
export async function sendPicture({
  url,
  token,
  tournament,
  picture,
}: Place & { readonly picture: Uint8Array }): Promise<void> {
  // Something behind its end makes another upload of it, which is decoded again.
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
