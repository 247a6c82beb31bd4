import { randomUUID } from 'node:crypto'
import { callback } from './callback.ts'

/**
 * A bot runs on a server, where it can keep a secret. It asks once whom it may act for, and then renews its tokens by
 * itself.
 *
 *     CLIENT_ID=… CLIENT_SECRET=… node examples/bot.ts
 */

const { SERVICE = 'http://127.0.0.1:3001', CLIENT_ID = '', CLIENT_SECRET = '' } = process.env
const { REDIRECT_URI = 'http://127.0.0.1:8090/callback' } = process.env

interface Tokens {
  readonly access_token: string
  readonly refresh_token: string
}

async function token(form: Readonly<Record<string, string>>): Promise<Tokens> {
  const headers = { authorization: `Basic ${btoa(`${CLIENT_ID}:${CLIENT_SECRET}`)}` }
  const body = new URLSearchParams(form)
  const reply = await fetch(`${SERVICE}/api/oauth/token`, { method: 'POST', headers, body })
  if (!reply.ok) throw new Error(await reply.text())
  return (await reply.json()) as Tokens
}

const state = randomUUID()
const asked = { response_type: 'code', client_id: CLIENT_ID, redirect_uri: REDIRECT_URI, scope: 'rest:read', state }
console.log(`Open ${SERVICE}/api/oauth/authorize?${new URLSearchParams(asked)}`)
const answer = await callback(REDIRECT_URI)
if (answer.state !== state || answer.iss !== SERVICE) throw new Error('This is no answer to what we asked.')
const first = await token({ grant_type: 'authorization_code', code: answer.code, redirect_uri: REDIRECT_URI })
// Later, before the access token's 60 days are over. Each refresh token is good for one use: keep the newest.
const { access_token } = await token({ grant_type: 'refresh_token', refresh_token: first.refresh_token })
const me = await fetch(`${SERVICE}/api/users/@me`, { headers: { authorization: `Bearer ${access_token}` } })

const { username } = (await me.json()) as { username: string }
console.log(`Acting for ${username}.`)
