/** Documents of earlier forms are lifted to the present one, step by step, by pure functions. (OV7) */

export const presentVersion = 1

type Form = Readonly<Record<string, unknown>>
/** By the version that a step begins with: it answers the next. There are none as long as there is one version. */
export type Steps = Readonly<Record<number, (document: Form) => Form>>
const steps: Steps = {}

/**
 * null for a document whose version nobody knows: it is newer than this service, or no document.
 * @param known for tests
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
