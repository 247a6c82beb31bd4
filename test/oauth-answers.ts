import { expect } from 'vitest'
import type { Hop } from './browser.ts'
import type { Harness, Reply } from './harness.ts'

/** The form of the authorization server's refusals, by RFC 6749. */

/** NQSCHAR, the allowed characters of descriptions. (RFC 6749 Appendix A.8) */
const description = /^[\x20\x21\x23-\x5b\x5d-\x7e]+$/

/** An error of an endpoint for clients: uncacheable JSON with only the members of the RFC. (§5.2) */
export function expectOAuthError(reply: Pick<Reply, 'status' | 'headers' | 'body'>, status: number, error: string) {
  expect([reply.status, reply.body], JSON.stringify(reply.body)).toEqual([
    status,
    { error, error_description: expect.stringMatching(description) },
  ])
  expect(reply.headers.get('content-type')).toMatch(/^application\/json\b/)
  expect(reply.headers.get('cache-control')).toBe('no-store')
  expect(reply.headers.get('pragma')).toBe('no-cache')
  expect(reply.headers.get('problem-code')).toMatch(/^[a-z_]+\.[a-z_]+$/)
  expect(reply.headers.get('request-id')).toMatch(/./)
  expect(reply.headers.get('www-authenticate')?.split(' ')[0]).toBe(status === 401 ? 'Basic' : undefined)
}

/** An error that is shown to the user in the browser, without a redirect. (§4.1.2.1) */
export function expectPage(hop: Hop, status: number, code: string): void {
  expect([hop.status, hop.headers.get('problem-code')], hop.text).toEqual([status, code])
  expect(hop.headers.get('location')).toBeNull()
  expect(hop.headers.get('content-type')).toMatch(/^text\/html\b/)
  expect(hop.headers.get('cache-control')).toContain('no-store')
  expect(hop.text).not.toMatch(/<form|http-equiv|<script/i)
}

/** The parameters that a response adds to the registered redirect address of the application. (§3.1.2, §4.1.2) */
export function answerOf(hop: Hop, redirectUri: string): Record<string, string> {
  const location = hop.headers.get('location') ?? ''
  const registered = `${redirectUri}${redirectUri.includes('?') ? '&' : '?'}`
  // After a posted form the browser must not post the form again. (RFC 9700 §4.12)
  const status = hop.url.search === '' ? 303 : 302
  expect([hop.status, location.slice(0, registered.length)], hop.text).toEqual([status, registered])
  expect(hop.headers.get('cache-control')).toContain('no-store')
  expect(location).toMatch(/^[\x21-\x7e]+$/)
  const parameters = [...new URLSearchParams(location.slice(registered.length))]
  expect(new Set(parameters.map(([name]) => name)).size, 'no parameter comes twice').toBe(parameters.length)
  return Object.fromEntries(parameters)
}

/** A refusal that is sent to the application, with the state of the request and the issuer. (§4.1.2.1; RFC 9207 §2) */
export function expectErrorBack(hop: Hop, party: { api: Harness; redirectUri: string }, error: string, state: string) {
  expect(answerOf(hop, party.redirectUri)).toEqual({
    error,
    error_description: expect.stringMatching(description),
    state,
    iss: party.api.app.config.publicUrl,
  })
}

/** The result of a call to an endpoint for clients. */
export function oauthOutcome({
  status,
  headers,
  body,
}: Reply): [status: number, error: unknown, problem: string | null] {
  return [status, body.error, headers.get('problem-code')]
}
