/** Converts documents of earlier schema versions to the present one, step by step, with pure functions. (OV7) */

export const presentVersion = 1

type Form = Readonly<Record<string, unknown>>
/** Each step converts a document of its version to the next one. There are no steps while there is only one version. */
export type Steps = Readonly<Record<number, (document: Form) => Form>>
const steps: Steps = {}

/**
 * Converts a document to the present version. null if its version is unknown, because it is newer than this service, or
 * if it is no document.
 * @param known the steps; given only by tests
 */
export function lifted(document: unknown, known: Steps = steps, present = presentVersion): Form | null {
  if (typeof document !== 'object' || document === null || Array.isArray(document)) return null
  let form = document as Form
  const version = Object.hasOwn(form, 'schemaVersion') ? form.schemaVersion : null
  if (typeof version !== 'number' || !Number.isInteger(version) || version < 1 || version > present) return null
  for (let at = version; at < present; at++) {
    const step = known[at]
    if (step === undefined) return null
    form = { ...step(form), schemaVersion: at + 1 }
  }
  return form
}
