import { getRouteApi } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { FaultOf, ForbiddenPage } from '../../chrome/faults.tsx'
import { address } from '../../data/api.ts'
import { useRead } from '../../data/queries.ts'
import { useAccess, useTournament } from '../../data/tournament.ts'
import { words } from '../../data/words.ts'
import { Pending } from '../../parts/loaded.tsx'
import { SignedIn } from '../../parts/signed-in.tsx'

/** The editor of an overlay: several people change its draft at once; other staff read along. */

const route = getRouteApi('/overlay/manage/$tournament/$overlay')

// What edits documents and draws scenes comes once it is known that the reader may see them.
const Editor = lazy(async () => ({ default: (await import('./editor.tsx')).Editor }))

export function OverlayEditor() {
  return (
    <SignedIn title={words('editor.title')} why={words('editor.sign-in')}>
      {() => <OfReader />}
    </SignedIn>
  )
}

function OfReader() {
  const { tournament, overlay } = route.useParams()
  const tournamentRead = useTournament()
  const access = useAccess()
  const read = useRead(address('/tournaments/{tournament}/overlays/{overlay}', { tournament, overlay }), { live: true })
  const failed = [access, tournamentRead, read].find(({ data, error }) => data === undefined && error !== null)
  if (failed?.error) return <FaultOf error={failed.error} again={() => void failed.refetch()} />
  if (access.data === undefined || tournamentRead.data === undefined || read.data === undefined)
    return <Pending title={words('editor.title')} />
  // Others see at most that a public overlay is there.
  if (read.data.draft === undefined) return <ForbiddenPage />
  return (
    <Suspense fallback={<Pending title={words('editor.title')} />}>
      <Editor tournament={tournamentRead.data} overlay={read.data} />
    </Suspense>
  )
}
