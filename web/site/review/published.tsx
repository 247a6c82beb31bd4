import { Link } from '@tanstack/react-router'
import { Fragment, type ReactNode } from 'react'
import type { TournamentWithParts } from '../../../client/generated.ts'
import { words } from '../data/words.ts'
import { Empty } from '../parts/loaded.tsx'
import { Prose } from '../parts/prose.tsx'
import { Instant, Span } from '../parts/time.tsx'
import styles from './review.module.css'

/** What a tournament publishes about itself, for those who decide whether it is listed. */
export function Published({ of }: { readonly of: TournamentWithParts }) {
  const { id, summary, html, startsAt, endsAt, status, timezone, capacity, teamSize, counts, links, prizes } = of
  const { registrationOpensAt: opensAt, registrationClosesAt: closesAt } = of
  const given = Object.entries(links).filter((link): link is [keyof typeof links, string] => link[1] !== null)
  const facts: readonly (readonly [name: string, ReactNode])[] = [
    [words('review.state'), words(`status.${status}`)],
    [words('review.dates'), <Span key="dates" from={startsAt} to={endsAt} />],
    [
      words('review.registration'),
      opensAt === null && closesAt === null ? (
        words('review.nothing-set')
      ) : (
        <>
          {opensAt === null ? '–' : <Instant at={opensAt} zone={timezone} />} {words('review.until')}{' '}
          {closesAt === null ? '–' : <Instant at={closesAt} zone={timezone} />}
        </>
      ),
    ],
    [words('review.teams'), words('review.teams-of', { teams: counts.teams, capacity: capacity ?? 0, ...teamSize })],
    [
      words('review.links'),
      given.length === 0
        ? words('review.nothing-set')
        : given.map(([kind, link]) => (
            <p key={kind} className={styles.link}>
              <a href={link} rel="nofollow ugc noopener">
                {link}
              </a>
            </p>
          )),
    ],
  ]
  const texts = [
    ['review.description', html?.description],
    ['review.rules', html?.rules],
    ['review.prizes', prizes === null ? null : html?.prizes],
  ] as const
  return (
    <div className={styles.published}>
      {summary !== null && <p dir="auto">{summary}</p>}
      <dl className="facts">
        {facts.map(([name, value]) => (
          <Fragment key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </Fragment>
        ))}
      </dl>
      {texts.map(([word, text]) => (
        <section key={word} className={styles.text}>
          <h4>{words(word)}</h4>
          {text ? <Prose html={text} level={5} /> : <Empty>{words('review.nothing-written')}</Empty>}
        </section>
      ))}
      <p>
        <Link to="/t/$tournament" params={{ tournament: id }}>
          {words('review.whole-page')}
        </Link>
      </p>
    </div>
  )
}
