import { Live } from '../live.tsx'
import { useLiveValues } from '../live-values.ts'
import type { View } from '../view.ts'

/** How the players do while the map is played, as it is now; nothing while no source tells it. (W8) */
export function LiveNow({ view }: { readonly view: View }) {
  const values = useLiveValues(view, false)
  return values.held.length > 0 && <Live view={view} values={values} />
}
