import { address } from '../../data/api.ts'
import { useRead, useReader } from '../../data/queries.ts'
import { words } from '../../data/words.ts'
import type { View } from './view.ts'

/** Opens the overlay that points at the match, where everybody may see it. Strangers may not list overlays. */
export function OverlayLink({ view: { match, tournament } }: { readonly view: View }) {
  const { user } = useReader()
  const { data } = useRead(user ? address('/tournaments/{tournament}/overlays', { tournament }) : null)
  const shown = data?.find(
    (each) => each.match?.guid === match.guid && each.access === 'public' && each.published !== null,
  )
  if (shown === undefined) return null
  return (
    <a className="btn only-wide" href={`${shown.urls.live}#${shown.guid}`}>
      {words('play.overlay')}
    </a>
  )
}
