import { diff, type Json } from '../../../core/patch.ts'

/**
 * How a body has become another one: by a JSON Patch, or whole where that is shorter to say. (RT3) Both as JSON: it is put
 * into packets as it is.
 */
export type Change = { readonly patch: string } | { readonly body: string }

/** Where nothing has changed. */
export const unchanged: Change = { patch: '[]' }

export function changeOf(before: string, after: string): Change {
  const patch = JSON.stringify(diff(JSON.parse(before) as Json, JSON.parse(after) as Json))
  return 2 * patch.length > after.length ? { body: after } : { patch }
}
