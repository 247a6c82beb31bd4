import { expect } from 'vitest'
import type { Operation } from '../../src/core/operation.ts'
import type { Reply } from '../harness.ts'
import type { RawReply } from './raw.ts'

/** Status and problem code of a response. */
export function outcome(reply: Reply | RawReply | null): [number | undefined, string | null | undefined] {
  return [reply?.status, reply?.headers.get('problem-code')]
}

const typeOf = {
  page: 'text/html; charset=utf-8',
  oauth: 'application/json; charset=utf-8',
  text: 'text/plain; charset=utf-8',
}

/**
 * Expects the form of a refusal, which is the same wherever it was decided; some operations have a form of their own.
 * (D10)
 */
export function expectProperRefusal(reply: RawReply | null, what: string, form: Operation['errors'] = undefined): void {
  expect(reply, what).not.toBeNull()
  expect(reply?.status, what).toBeGreaterThanOrEqual(400)
  expect(reply?.status, what).toBeLessThan(500)
  expect(reply?.headers.get('problem-code'), what).toMatch(/^[a-z_]+\.[a-z_]+$/)
  expect(reply?.headers.get('request-id'), what).toMatch(/^[\w-]{10,}$/)
  expect(reply?.headers.get('content-type'), what).toBe(typeOf[form ?? 'text'])
  expect(reply?.headers.get('x-content-type-options'), what).toBe('nosniff')
}
