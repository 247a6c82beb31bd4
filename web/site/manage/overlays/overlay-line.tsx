import { Link } from '@tanstack/react-router'
import { useEffect, useState, useSyncExternalStore } from 'react'
import type { Overlay } from '../../../../client/generated.ts'
import { address } from '../../data/api.ts'
import { epochOfLive, live } from '../../data/live.ts'
import { useRead } from '../../data/queries.ts'
import { useMay, useTournamentId } from '../../data/tournament.ts'
import { words } from '../../data/words.ts'
import { useWrite } from '../../data/writes.ts'
import { Changed } from '../../parts/changed.tsx'
import { Danger } from '../../parts/danger.tsx'
import { Section } from '../../parts/section.tsx'
import { State } from '../../parts/state.tsx'
import { Ago } from '../../parts/time.tsx'
import { CopyOverlay } from './new-overlay.tsx'
import styles from './overlays.module.css'
import { Tokens, useTokens } from './tokens.tsx'

/** One overlay: what is on air, who works on it, what is published, and the addresses that show it. */
export function OverlayLine({ overlay }: { readonly overlay: Overlay }) {
  const tournament = useTournamentId()
  const may = useMay()
  const mayKeep = may('overlays.createToken')
  return (
    <li>
      <Section
        title={<bdi>{overlay.name}</bdi>}
        beside={
          <div className="btns">
            <Places overlay={overlay} />
            <Link
              to="/overlay/manage/$tournament/$overlay"
              params={{ tournament, overlay: overlay.guid }}
              reloadDocument
              className="btn"
            >
              {words(mayKeep ? 'overlays.edit' : 'overlays.draft')}
              <span className="unseen"> {overlay.name}</span>
            </Link>
            {mayKeep && (
              <>
                {overlay.dirty === true && <Publish overlay={overlay} />}
                <CopyOverlay overlay={overlay} />
                <Delete overlay={overlay} />
              </>
            )}
          </div>
        }
      >
        <div className={styles.overlay}>
          <Facts overlay={overlay} mayKeep={mayKeep} />
          {mayKeep && <Tokens overlay={overlay} />}
        </div>
      </Section>
    </li>
  )
}

/** The pages that work with it. They show the overlay in a frame; only pages that are opened anew may do so. (W6) */
function Places({ overlay: { guid, name, match } }: ActProps) {
  const tournament = useTournamentId()
  const may = useMay()
  return (
    <>
      <a className="btn" href={`/overlay/control/${guid}`}>
        {words('overlays.control')}
        <span className="unseen"> {name}</span>
      </a>
      {match !== null && may('flowSessions.override') && (
        <a className="btn" href={`/coordinate/${tournament}/${guid}`}>
          {words('overlays.coordinate')}
          <span className="unseen"> {name}</span>
        </a>
      )}
    </>
  )
}

function Facts({ overlay, mayKeep }: { readonly overlay: Overlay; readonly mayKeep: boolean }) {
  const { match, published, dirty, draft, editors } = overlay
  const at = { tournament: useTournamentId(), overlay: overlay.guid }
  const control = useRead(address('/tournaments/{tournament}/overlays/{overlay}/control', at), { live: true }).data
  const scenes = useRead(
    published === null ? null : address('/tournaments/{tournament}/overlays/{overlay}/published', at),
    { live: true },
  ).data
  const tokens = useTokens(overlay.guid, mayKeep).data
  const editing = useEditing(overlay.guid, mayKeep)
  const scene = sceneName(scenes?.document, control?.scene)
  const used = tokens
    ?.flatMap(({ lastUsedAt }) => lastUsedAt ?? [])
    .toSorted()
    .at(-1)
  return (
    <dl className="facts">
      <dt>{words('overlays.on-air')}</dt>
      <dd>
        {published === null ? (
          <State shape="off" tone="quiet">
            {words('overlays.nothing')}
          </State>
        ) : (
          <Changed of={`${scene} ${control?.blank}`}>
            <State shape={control?.blank === true ? 'off' : 'running'} tone={control?.blank === true ? 'quiet' : 'run'}>
              {control?.blank === true ? words('overlays.blanked') : (scene ?? words('overlays.first-scene'))}
            </State>
          </Changed>
        )}{' '}
        <span className="muted">
          {match === null ? words('overlays.no-match') : words('schedule.match', { number: match.number })}
        </span>
      </dd>
      <dt>{words('overlays.published')}</dt>
      <dd>
        {published === null ? (
          words('overlays.never')
        ) : (
          <>
            {words('overlays.version', { version: published.version })}, <Ago at={published.publishedAt} />
            {published.publishedBy !== null && (
              <>
                {', '}
                <bdi>{published.publishedBy.preferredName}</bdi>
              </>
            )}
          </>
        )}
      </dd>
      {draft !== undefined && (
        <>
          <dt>{words('overlays.draft')}</dt>
          <dd>
            {words(dirty === true ? 'overlays.dirty' : 'overlays.same')}{' '}
            <span className="muted">
              <Ago at={draft.updatedAt} />
              {draft.updatedBy !== null && (
                <>
                  {', '}
                  <bdi>{draft.updatedBy.preferredName}</bdi>
                </>
              )}
            </span>
          </dd>
        </>
      )}
      {mayKeep && (
        <>
          <dt>{words('overlays.connected')}</dt>
          <dd>
            {used === undefined ? words('overlays.unused') : words('overlays.used')}
            {used !== undefined && (
              <>
                {' '}
                <Ago at={used} />
              </>
            )}
            {editing > 0 && `, ${words('overlays.editing', { count: editing })}`}
          </dd>
        </>
      )}
      {editors !== undefined && editors.length > 0 && (
        <>
          <dt>{words('overlays.editors')}</dt>
          <dd>
            <bdi>{editors.map(({ preferredName }) => preferredName).join(', ')}</bdi>
          </dd>
        </>
      )}
    </dl>
  )
}

/** The name of a scene of a document, whose type says nothing of its scenes. */
function sceneName(document: unknown, id: string | null | undefined): string | null {
  const { scenes } = (document ?? {}) as { readonly scenes?: Readonly<Record<string, { readonly name?: string }>> }
  return (id != null && scenes?.[id]?.name) || null
}

/** How many people have the scenes open to change them. */
function useEditing(overlay: string, isAllowed: boolean): number {
  const topic = `/tournaments/${useTournamentId()}/overlays/${overlay}/scene/presence`
  const epoch = useSyncExternalStore(epochOfLive.subscribe, epochOfLive.get)
  const [count, setCount] = useState(0)
  useEffect(() => {
    if (epoch === null || !isAllowed) return
    return live()
      .live(topic)
      .subscribe(({ value }) => setCount(Object.keys(value ?? {}).length))
  }, [topic, epoch, isAllowed])
  return count
}

interface ActProps {
  readonly overlay: Overlay
}

function Publish({ overlay: { guid, name, draft, published } }: ActProps) {
  const tournament = useTournamentId()
  const publish = useWrite('POST /tournaments/{tournament}/overlays/{overlay}/publish', (known) =>
    known.renew(`/tournaments/${tournament}/overlays`),
  )
  return (
    <Danger
      label={words('overlays.publish')}
      title={words('overlays.publish-title', { name })}
      isPlain
      error={publish.error}
      isSending={publish.isSending}
      act={() => publish.send({ params: { tournament, overlay: guid }, body: { revision: draft?.revision ?? 0 } })}
    >
      <p>{words(published === null ? 'overlays.publish-first' : 'overlays.publish-what')}</p>
    </Danger>
  )
}

function Delete({ overlay: { guid, name } }: ActProps) {
  const tournament = useTournamentId()
  const tokens = useTokens(guid, true).data ?? []
  const remove = useWrite('DELETE /tournaments/{tournament}/overlays/{overlay}', (known) => {
    const at = address('/tournaments/{tournament}/overlays', { tournament })
    known.change(at, (all) => all.filter((each) => each.guid !== guid))
  })
  return (
    <Danger
      label={words('overlays.delete')}
      title={words('overlays.delete-title', { name })}
      typed={name}
      error={remove.error}
      isSending={remove.isSending}
      act={() => remove.send({ params: { tournament, overlay: guid } })}
    >
      <p>{words('overlays.delete-what', { tokens: tokens.length })}</p>
    </Danger>
  )
}
