import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
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

/** @throws Error where it is not taken */
export async function sendPicture({
  url,
  token,
  tournament,
  picture,
}: Place & { readonly picture: Uint8Array }): Promise<void> {
  const form = new FormData()
  // Something behind its end makes another upload of it, which is decoded again.
  form.set('file', new Blob([picture as Uint8Array<ArrayBuffer>, randomBytes(8)]), 'stage.jpg')
  const response = await fetch(`${url}/api/media?kind=update_image&tournament=${tournament}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}` },
    body: form,
  })
  if (response.status !== 201) throw new Error(`the upload was answered ${response.status}: ${await response.text()}`)
  await response.arrayBuffer()
}

if (import.meta.main) {
  let text = ''
  for await (const line of process.stdin.setEncoding('utf8')) {
    text += line
    if (text.endsWith('\n')) break
  }
  const { picture, ...sending } = JSON.parse(text) as Sending
  const bytes = await readFile(picture)
  let isOver = false
  process.once('SIGTERM', () => {
    isOver = true
  })
  console.log('begins')
  await loop(() => (isOver ? undefined : () => sendPicture({ ...sending, picture: bytes })), sending.atOnce)
}
