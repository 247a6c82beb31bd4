import { createRootRoute } from '@tanstack/react-router'
import { CrashedPage, UnknownPage } from '../chrome/faults.tsx'
import { Frame } from '../chrome/frame.tsx'

/** What all addresses have in common. */

export const root = createRootRoute({ component: Frame, notFoundComponent: UnknownPage, errorComponent: CrashedPage })

/** The query of an address as texts; what is not one of these is left out. */
export function textsOf<const Name extends string>(...names: readonly Name[]) {
  return (search: Readonly<Record<string, unknown>>): { readonly [Each in Name]?: string } => {
    const given = names.flatMap((name) => {
      const value = search[name]
      return value === undefined || value === null || value === '' ? [] : [[name, String(value)] as const]
    })
    return Object.fromEntries(given) as { readonly [Each in Name]?: string }
  }
}
