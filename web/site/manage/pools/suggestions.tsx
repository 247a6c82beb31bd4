import { getRouteApi, Link } from '@tanstack/react-router'
import { useState } from 'react'
import type { Pool, Suggestion } from '../../../../client/generated.ts'
import { useRead } from '../../data/queries.ts'
import { useMay, useTournamentId } from '../../data/tournament.ts'
import { words } from '../../data/words.ts'
import { Empty, Loaded } from '../../parts/loaded.tsx'
import { FlairName, mapName } from '../../parts/map.tsx'
import { Section } from '../../parts/section.tsx'
import { State } from '../../parts/state.tsx'
import { usePools } from '../map-reads.ts'
import { AddMap } from './add-map.tsx'
import { Cover, isPublicElsewhere, MapNumbers, MapTitle, NumbersHead } from './map-line.tsx'
import styles from './pools.module.css'
import { type Suggestions as Body, poolingAddress, type Rights, suggestionsAddress, useFlairs } from './reads.ts'
import { SuggestionDetail } from './suggestion-detail.tsx'
import { noteVote, SuggestionVote, TallyOf } from './votes.tsx'

/** What was suggested: for this pool, for any, or what is decided already. */

const route = getRouteApi('/manage/$tournament/pools/$pool')

const kinds = ['here', 'all', 'accepted', 'rejected', 'withdrawn'] as const
type Kind = (typeof kinds)[number]

const sortings = ['newest', 'votes', 'comments', 'name'] as const
type Sorting = (typeof sortings)[number]

const pointsOf = ({ tally }: Suggestion) => (tally === null ? 0 : tally.up - tally.down)

const by: Readonly<Record<Sorting, (one: Suggestion, other: Suggestion) => number>> = {
  newest: () => 0,
  votes: (one, other) => pointsOf(other) - pointsOf(one),
  comments: (one, other) => (other.comments ?? 0) - (one.comments ?? 0),
  name: (one, other) => mapName(one.map).localeCompare(mapName(other.map)),
}

export function Suggestions({ pool, rights }: { readonly pool: Pool; readonly rights: Rights }) {
  const tournament = useTournamentId()
  const search = route.useSearch()
  const kind: Kind = kinds.find((each) => each === search.kind) ?? 'here'
  const at = suggestionsAddress(
    tournament,
    kind === 'here' || kind === 'all'
      ? { status: 'open', ...(kind === 'here' && { pool: pool.guid }) }
      : { status: kind },
  )
  const read = useRead(at, { live: true })
  return (
    <Section title={words('poolers.suggestions')} beside={<Kinds kind={kind} />}>
      {pool.status !== 'archived' && <AddMap pool={pool} rights={rights} />}
      <Loaded of={read} rows={6}>
        {(body) => <Listed body={body} kind={kind} at={at} pool={pool} rights={rights} open={search.open} />}
      </Loaded>
    </Section>
  )
}

function Kinds({ kind }: { readonly kind: Kind }) {
  return (
    <div className="choices">
      {kinds.map((each) => (
        <Link
          key={each}
          from="/manage/$tournament/pools/$pool"
          to="."
          search={each === 'here' ? {} : { kind: each }}
          className="btn"
          aria-current={each === kind ? 'true' : undefined}
          replace
          resetScroll={false}
        >
          {words(`poolers.kind-${each}`)}
        </Link>
      ))}
    </div>
  )
}

interface ListedProps {
  readonly body: Body
  readonly kind: Kind
  readonly at: ReturnType<typeof suggestionsAddress>
  readonly pool: Pool
  readonly rights: Rights
  readonly open: string | undefined
}

function Listed({ body, kind, at, pool, rights, open }: ListedProps) {
  const tournament = useTournamentId()
  const may = useMay()
  const pooling = useRead(poolingAddress(tournament), { enabled: may('pooling.read') })
  const [sort, setSort] = useState<Sorting>('newest')
  const { suggestions, nextCursor } = body
  const opened = suggestions.find(({ guid }) => guid === open)
  if (suggestions.length === 0) return <Empty>{words(`poolers.none-${kind}`)}</Empty>
  const isHidden = pooling.data?.hideVotes === true && !rights.isHead
  return (
    <>
      <div className={styles.tools}>
        <p className="muted push">
          {words('poolers.count', { count: suggestions.length })} {isHidden && words('poolers.hidden-votes')}
        </p>
        <label className={styles.sort}>
          <span className="muted">{words('poolers.sort')}</span>
          <select className="in" value={sort} onChange={({ target }) => setSort(target.value as Sorting)}>
            {sortings.map((each) => (
              <option key={each} value={each}>
                {words(`poolers.sort-${each}`)}
              </option>
            ))}
          </select>
        </label>
      </div>
      <div className={`${styles.split} ${opened === undefined ? '' : styles.divided}`}>
        <div>
          <Head />
          <ul className="lines">
            {suggestions.toSorted(by[sort]).map((suggestion) => (
              <SuggestionLine
                key={suggestion.guid}
                of={suggestion}
                at={at}
                pool={pool}
                isOpen={opened === suggestion}
              />
            ))}
          </ul>
        </div>
        {opened !== undefined && <SuggestionDetail key={opened.guid} of={opened} at={at} pool={pool} rights={rights} />}
      </div>
      {nextCursor !== null && <p className="muted">{words('poolers.more-suggestions')}</p>}
    </>
  )
}

function Head() {
  return (
    <div className={`${styles.line} ${styles.head}`}>
      <span className={styles.cover} />
      <span />
      <NumbersHead />
      <span className={`small muted ${styles.voting}`}>{words('poolers.votes')}</span>
    </div>
  )
}

interface LineProps {
  readonly of: Suggestion
  readonly at: ListedProps['at']
  readonly pool: Pool
  readonly isOpen: boolean
}

function SuggestionLine({ of, at, pool, isOpen }: LineProps) {
  const { guid, map, status, suggestedBy, targetPool, targetFlair, tally, myVote, comments = 0, duplicateOf } = of
  const may = useMay()
  const flair = useFlairs().find((each) => each.guid === targetFlair) ?? null
  const pools = usePools().data ?? []
  const other = targetPool === pool.guid ? undefined : pools.find((each) => each.guid === targetPool)
  return (
    <li className={`${styles.line} ${isOpen ? styles.open : ''}`}>
      <Cover map={map} isPublic={isPublicElsewhere(of.usedBefore)} />
      <span className={styles.what}>
        <Link
          from="/manage/$tournament/pools/$pool"
          to="."
          search={(before) => ({ ...before, open: guid })}
          className="plain"
          resetScroll={false}
          {...(isOpen && { 'aria-current': 'true' as const })}
        >
          <MapTitle map={map} />
        </Link>
        <span className={`small ${styles.marks}`}>
          <FlairName flair={flair} />
          {other !== undefined && <bdi className="muted">{other.name}</bdi>}
          <span className="muted">
            <bdi>{suggestedBy.preferredName}</bdi>
          </span>
          {comments > 0 && <span className="muted">{words('poolers.comment-count', { count: comments })}</span>}
          {(of.usedBefore ?? []).length > 0 && <Mark word="poolers.short-used" />}
          {duplicateOf != null && <Mark word="poolers.short-twice" />}
          {map.state !== 'known' && <Mark word={`poolers.short-map_${map.state}`} />}
        </span>
      </span>
      <MapNumbers map={map} />
      {status === 'open' && may('suggestions.vote') ? (
        <SuggestionVote
          guid={guid}
          name={mapName(map)}
          myVote={myVote}
          tally={tally}
          done={(known, reply) => noteVote(known, at, guid, reply)}
        />
      ) : (
        tally !== null && <TallyOf tally={tally} />
      )}
    </li>
  )
}

function Mark({ word }: { readonly word: Parameters<typeof words>[0] }) {
  return (
    <State shape="problem" tone="warning">
      {words(word)}
    </State>
  )
}
