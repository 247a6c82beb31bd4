import { randomBytes } from 'node:crypto'
import { parentPort, workerData } from 'node:worker_threads'
import { loop } from './load.ts'

/** Sends a picture again and again, many at once, until it is told to stop: beside whoever measures, not in their event loop. */

export interface Sending {
  readonly url: string
  readonly token: string
  readonly tournament: string
  readonly picture: Uint8Array
  readonly atOnce: number
}

/** @throws Error where it is not taken */
export async function sendPicture({ url, token, tournament, picture }: Omit<Sending, 'atOnce'>): Promise<void> {
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

if (parentPort !== null) {
  const sending = workerData as Sending
  let isOver = false
  parentPort.once('message', () => {
    isOver = true
  })
  await loop(() => (isOver ? undefined : () => sendPicture(sending)), sending.atOnce)
  parentPort.close()
}
