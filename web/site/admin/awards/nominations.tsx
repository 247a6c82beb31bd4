import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import type { AwardCategory, Awards } from '../../../../client/generated.ts'
import { address } from '../../data/api.ts'
import { useEveryPage } from '../../data/every-page.ts'
import type { Nomination } from '../../data/generated.ts'
import { usePages } from '../../data/queries.ts'
import { words } from '../../data/words.ts'
import { Empty, Loaded } from '../../parts/loaded.tsx'
import { Section } from '../../parts/section.tsx'
import { State } from '../../parts/state.tsx'
import styles from './awards.module.css'
import { inOrder, isReady, route, standing } from './editions.ts'
import { Merge } from './merge.tsx'
import { Nominees } from './nominees.tsx'

/** What was nominated, category by category, and which nominees it is merged into. Authors are named to no one. (A3) */
export function Nominations({ awards }: { readonly awards: Awards }) {
  const wanted = route.useSearch().category
  const categories = inOrder(awards.categories)
  const category = categories.find(({ guid }) => guid === wanted) ?? categories[0]
  if (category === undefined) return <Empty>{words('admin-awards.categories-none')}</Empty>
  return (
    <div className={styles.desk}>
      <nav aria-label={words('admin-awards.part-categories')}>
        <ul className="lines">
          {categories.map((each) => (
            <li key={each.guid}>
              <Link
                to="/admin/awards/$edition"
                params={{ edition: awards.id }}
                search={{ part: 'nominations', category: each.guid }}
                className={styles.choice}
                aria-current={each === category ? 'true' : undefined}
                activeOptions={{ exact: true, includeSearch: true }}
                resetScroll={false}
              >
                <bdi>{each.name}</bdi>
                <State shape={isReady(each) ? 'done' : 'waiting'} tone="quiet">
                  {words('admin-awards.on-list', { count: standing(each).length, most: each.shortlistSize })}
                </State>
              </Link>
            </li>
          ))}
        </ul>
      </nav>
      <Desk key={category.guid} awards={awards} category={category} />
    </div>
  )
}

/** All nominations of the same. */
export interface Group {
  readonly key: string
  readonly name: string
  readonly link: string | null
  readonly nominations: readonly Nomination[]
  /** The nominee that they are merged into. */
  readonly nomineeGuid: string | null
}

function groupsOf(nominations: readonly Nomination[]): readonly Group[] {
  const groups = Map.groupBy(nominations, ({ user, team, tournament, label, link, nomineeGuid }) => {
    const target = user?.guid ?? team?.guid ?? tournament?.guid ?? `${(label ?? '').toLowerCase()} ${link ?? ''}`
    return `${nomineeGuid ?? ''} ${target}`
  })
  return Array.from(groups, ([key, own]) => {
    const { user, team, tournament, label, link, nomineeGuid } = own[0] as Nomination
    const name = user?.preferredName ?? team?.name ?? tournament?.name ?? label ?? ''
    return { key, name, link, nominations: own, nomineeGuid }
  }).toSorted((one, other) => other.nominations.length - one.nominations.length)
}

interface DeskProps {
  readonly awards: Awards
  readonly category: AwardCategory
}

function Desk({ awards, category }: DeskProps) {
  const [chosen, choose] = useState<ReadonlySet<string>>(new Set())
  const at = address('/awards/{edition}/categories/{category}/nominations', {
    edition: awards.guid,
    category: category.guid,
  })
  const pages = usePages(`${at}?limit=100` as typeof at)
  // A request names all nominations of a nominee: those of pages that were not read would be taken out of it.
  const rest = useEveryPage(pages)
  const isWhole = pages.data !== undefined && !pages.hasNextPage
  const groups = groupsOf(pages.data?.pages.flatMap(({ nominations }) => nominations) ?? [])
  const marked = groups.filter(({ key }) => chosen.has(key))
  const toggle = (key: string) => {
    const next = new Set(chosen)
    if (!next.delete(key)) next.add(key)
    choose(next)
  }
  return (
    <div className="stack">
      <Section
        title={words('admin-awards.nominated')}
        beside={<span className="muted">{words('admin-awards.no-authors')}</span>}
      >
        <Loaded
          of={{
            ...pages,
            ...rest,
            error: rest.error ?? pages.error,
            data: isWhole ? groups : undefined,
            refetch: rest.again,
          }}
          rows={4}
        >
          {(all) =>
            all.length === 0 ? (
              <Empty>{words('admin-awards.nominations-none')}</Empty>
            ) : (
              <ul className="lines">
                {all.map((group) => (
                  <GroupLine
                    key={group.key}
                    group={group}
                    category={category}
                    isChosen={chosen.has(group.key)}
                    toggle={() => toggle(group.key)}
                  />
                ))}
              </ul>
            )
          }
        </Loaded>
        {isWhole && (
          <Merge
            key={marked.map(({ key }) => key).join()}
            awards={awards}
            category={category}
            groups={groups}
            marked={marked}
            done={() => choose(new Set())}
          />
        )}
      </Section>
      <Nominees awards={awards} category={category} />
    </div>
  )
}

interface LineProps {
  readonly group: Group
  readonly category: AwardCategory
  readonly isChosen: boolean
  readonly toggle: () => void
}

function GroupLine({ group, category, isChosen, toggle }: LineProps) {
  const { name, link, nominations, nomineeGuid } = group
  const nominee = category.nominees?.find(({ guid }) => guid === nomineeGuid)
  const reasons = nominations.flatMap(({ guid, reason }) => (reason === null ? [] : [{ guid, reason }]))
  return (
    <li className={styles.group}>
      <label className="choice">
        <input type="checkbox" checked={isChosen} onChange={toggle} />
        <bdi className="strong">{name}</bdi>
      </label>
      <span className="muted">{words('admin-awards.times', { count: nominations.length })}</span>
      {nominee === undefined ? (
        <State shape="waiting" tone="quiet">
          {words('admin-awards.unmerged')}
        </State>
      ) : (
        <State shape={nominee.declined ? 'off' : 'done'} tone="quiet">
          {nominee.declined
            ? words('admin-awards.merged-declined', { name: nominee.label })
            : words('admin-awards.merged', { name: nominee.label })}
        </State>
      )}
      {(reasons.length > 0 || link !== null) && (
        <details className={styles.reasons}>
          <summary>{words('admin-awards.reasons', { count: reasons.length })}</summary>
          {link !== null && (
            <p>
              <a href={link} rel="nofollow ugc noopener">
                <bdi>{link}</bdi>
              </a>
            </p>
          )}
          <ul>
            {reasons.map(({ guid, reason }) => (
              <li key={guid} dir="auto">
                {reason}
              </li>
            ))}
          </ul>
        </details>
      )}
    </li>
  )
}
