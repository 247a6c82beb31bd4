import { setTimeout } from 'node:timers/promises'

/**
 * A program where opening a browser or typing is hard, such as a game in a headset: it shows a code, which the user
 * types on another screen.
 *
 *     CLIENT_ID=… node examples/headset.ts
 */

const { SERVICE = 'http://127.0.0.1:3001', CLIENT_ID = '' } = process.env

async function post<T>(path: string, form: Readonly<Record<string, string>>): Promise<T> {
  const body = new URLSearchParams({ client_id: CLIENT_ID, ...form })
  const reply = await fetch(`${SERVICE}/api/oauth/${path}`, { method: 'POST', body })
  return (await reply.json()) as T
}

interface Device {
  readonly device_code: string
  readonly user_code: string
  readonly verification_uri: string
  /** Seconds to leave between two questions. */
  readonly interval: number
}

interface Failure {
  readonly error: string
  readonly error_description: string
}

const grant_type = 'urn:ietf:params:oauth:grant-type:device_code'
const device = await post<Device | Failure>('device_authorization', { scope: 'rest:read' })
if ('error' in device) throw new Error(device.error_description)
console.log(`Open ${device.verification_uri} and type ${device.user_code}`)

async function waitForToken({ device_code, interval }: Pick<Device, 'device_code' | 'interval'>): Promise<string> {
  await setTimeout(interval * 1000)
  const answer = await post<{ readonly access_token: string } | Failure>('token', { grant_type, device_code })
  if ('access_token' in answer) return answer.access_token
  if (answer.error === 'authorization_pending') return waitForToken({ device_code, interval })
  if (answer.error === 'slow_down') return waitForToken({ device_code, interval: interval + 5 })
  throw new Error(answer.error_description)
}

const access_token = await waitForToken(device)
const me = await fetch(`${SERVICE}/api/users/@me`, { headers: { authorization: `Bearer ${access_token}` } })
const { username } = (await me.json()) as { username: string }
console.log(`Acting for ${username}.`)
