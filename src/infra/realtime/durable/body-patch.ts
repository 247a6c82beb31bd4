import { diff, type Json } from '../../../core/patch.ts'

/**
 * The change from one body to another: a JSON Patch, or the whole body where that is shorter. (RT3) Both are serialised
 * JSON, which is inserted into packets unchanged.
 */
export type Change = { readonly patch: string } | { readonly body: string }

/** The change between two equal bodies. */
export const unchanged: Change = { patch: '[]' }

export function changeOf(before: string, after: string): Change {
  const patch = JSON.stringify(diff(JSON.parse(before) as Json, JSON.parse(after) as Json))
  return 2 * patch.length > after.length ? { body: after } : { patch }
}
