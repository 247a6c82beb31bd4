import { getRouteApi } from '@tanstack/react-router'
import { lazy, Suspense, useCallback, useMemo, useState } from 'react'
import type { Overlay, TournamentWithParts } from '../../../../client/generated.ts'
import { inOrder } from '../../../../src/engine/scenes/order.ts'
import { FaultOf } from '../../chrome/faults.tsx'
import { useMay } from '../../data/tournament.ts'
import { words } from '../../data/words.ts'
import { Failure, Pending } from '../../parts/loaded.tsx'
import { Canvas } from './canvas/canvas.tsx'
import { useClipboard } from './clipboard.ts'
import { setMembers } from './draft/changes.ts'
import { type Editing, EditingProvider } from './editing.ts'
import styles from './editor.module.css'
import { Layers } from './panels/layers.tsx'
import { Messages } from './panels/messages.tsx'
import { Scenes } from './panels/scenes.tsx'
import { TopBar } from './panels/top-bar.tsx'
import { useDraft } from './use-draft.ts'
import { isSource, useFilling } from './use-filling.ts'
import { useKeys } from './use-keys.ts'
import { usePresence } from './use-presence.ts'
import { useStored } from './use-stored.ts'

const route = getRouteApi('/overlay/manage/$tournament/$overlay')
const nobody = [] as const

// Comes while the scene is drawn.
const Properties = lazy(async () => ({ default: (await import('./panels/properties.tsx')).Properties }))

interface Props {
  readonly tournament: TournamentWithParts
  readonly overlay: Overlay
}

export function Editor({ tournament, overlay }: Props) {
  const at = { tournament: tournament.guid, overlay: overlay.guid }
  const path = `/tournaments/${at.tournament}/overlays/${at.overlay}`
  const [draft, state] = useDraft(`${path}/scene`)
  const { scene: asked, data } = route.useSearch()
  const navigate = route.useNavigate()
  const source = isSource(data) ? data : overlay.match === null ? 'solo' : 'live'
  const { filling, unread } = useFilling(at, source)
  const [chosen, setChosen] = useState<readonly string[]>([])
  const stored = useStored(draft, state, at)
  const { document, readOnly, ended } = state
  const may = useMay()
  const mayEdit = document !== null && !readOnly
  const sceneId =
    asked !== undefined && document !== null && Object.hasOwn(document.scenes, asked)
      ? asked
      : document === null
        ? null
        : (inOrder(document.scenes)[0]?.[0] ?? null)
  const scene = sceneId === null ? undefined : document?.scenes[sceneId]
  const selection = useMemo(() => chosen.filter((id) => scene?.elements[id] !== undefined), [chosen, scene])
  const others = usePresence(
    `${path}/scene/presence`,
    { scene: sceneId, selection, mayEdit },
    { tournament: tournament.id, editors: overlay.editors ?? nobody },
  )
  const openScene = useCallback(
    (id: string) => {
      setChosen([])
      void navigate({ search: (before) => ({ ...before, scene: id }), replace: true })
    },
    [navigate],
  )
  if (ended !== null && document === null) return <FaultOf error={new Error(ended)} again={() => location.reload()} />
  if (document === null && stored.isLate && stored.error !== null)
    return <Unconnected name={overlay.name} {...stored} error={stored.error} />
  if (document === null || sceneId === null || scene === undefined) return <Pending title={overlay.name} />
  const editing: Editing = {
    tournament: tournament.id,
    overlay,
    draft,
    state,
    document,
    sceneId,
    scene,
    openScene,
    selection,
    select: setChosen,
    mayEdit,
    filling,
    unread,
    isLive: source === 'live',
    others,
    stored,
    set: (changes, joins) => draft.step(setMembers(sceneId, changes), joins),
  }
  return (
    <EditingProvider value={editing}>
      <Screen
        source={source}
        mayPublish={may('scenes.publish')}
        choose={(next) => void navigate({ search: (before) => ({ ...before, data: next }), replace: true })}
      />
    </EditingProvider>
  )
}

/** Neither the topic nor a read brings the draft. */
function Unconnected({
  name,
  error,
  again,
}: {
  readonly name: string
  readonly error: Error
  readonly again: () => void
}) {
  return (
    <div className="page stack">
      <h1>
        <bdi>{name}</bdi>
      </h1>
      <p className="prose">{words('editor.unconnected')}</p>
      <Failure error={error} again={again} />
    </div>
  )
}

interface ScreenProps {
  readonly source: string
  readonly mayPublish: boolean
  readonly choose: (source: string) => void
}

function Screen(props: ScreenProps) {
  const onKeyDown = useKeys()
  const clipboard = useClipboard()
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: keys of the whole editor; each has a button that does the same
    <div className={styles.editor} onKeyDown={onKeyDown} {...clipboard}>
      <TopBar {...props} />
      <Scenes />
      <Messages />
      <p className={`notice ${styles.narrow}`}>{words('editor.narrow')}</p>
      <Layers />
      <Canvas />
      <Suspense fallback={<section aria-busy="true" />}>
        <Properties />
      </Suspense>
    </div>
  )
}
