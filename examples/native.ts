import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { callback } from './callback.ts'

/**
 * A program on the user's own machine, where nothing can be kept secret from them: it proves by PKCE that the code which
 * arrives is the answer to its own question.
 *
 *     CLIENT_ID=… node examples/native.ts
 */

const { SERVICE = 'http://127.0.0.1:3001', CLIENT_ID = '' } = process.env
const { REDIRECT_URI = 'http://127.0.0.1:8090/callback' } = process.env

const client = { client_id: CLIENT_ID, redirect_uri: REDIRECT_URI }
const [state, code_verifier] = [randomUUID(), randomBytes(32).toString('base64url')]
const code_challenge = createHash('sha256').update(code_verifier).digest('base64url')
const proof = { code_challenge, code_challenge_method: 'S256' }
const asked = { ...client, ...proof, response_type: 'code', scope: 'rest:read', state }
console.log(`Open ${SERVICE}/api/oauth/authorize?${new URLSearchParams(asked)}`)
const { code, ...answer } = await callback(REDIRECT_URI)
if (answer.state !== state || answer.iss !== SERVICE) throw new Error('This is no answer to what we asked.')
const body = new URLSearchParams({ ...client, grant_type: 'authorization_code', code, code_verifier })
const reply = await fetch(`${SERVICE}/api/oauth/token`, { method: 'POST', body })
if (!reply.ok) throw new Error(await reply.text())

const { access_token } = (await reply.json()) as { access_token: string }
const me = await fetch(`${SERVICE}/api/users/@me`, { headers: { authorization: `Bearer ${access_token}` } })
const { username } = (await me.json()) as { username: string }
console.log(`Acting for ${username}.`)
