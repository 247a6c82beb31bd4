import { address } from '../data/api.ts'
import type { HeldBadge } from '../data/generated.ts'
import { useRead, useReader } from '../data/queries.ts'
import { words } from '../data/words.ts'
import { useWrite } from '../data/writes.ts'
import { Empty, Failure, Loaded } from '../parts/loaded.tsx'
import { Section } from '../parts/section.tsx'
import { Instant } from '../parts/time.tsx'
import styles from './badges.module.css'

/** The reader's badges: which stand first, and which others do not see. */
export function OwnBadges() {
  const { user } = useReader()
  const at = user ? address('/users/{user}/badges', { user: user.guid }, { limit: 100 }) : null
  const read = useRead(at)
  return (
    <div className="page stack">
      <h1>{words('me.badges')}</h1>
      <Loaded of={read} rows={5}>
        {({ badges }) =>
          badges.length === 0 ? <Empty>{words('badges.own-none')}</Empty> : <Arranged badges={badges} />
        }
      </Loaded>
    </div>
  )
}

function Arranged({ badges }: { readonly badges: readonly HeldBadge[] }) {
  const { user } = useReader()
  const at = address('/users/{user}/badges', { user: user?.guid ?? '' }, { limit: 100 })
  const show = useWrite('PATCH /users/@me/badges', (known, { badges: shown }) =>
    known.change(at, (before) => ({ ...before, badges: shown })),
  )
  const send = (next: readonly HeldBadge[]) =>
    void show.send({
      params: {},
      body: {
        order: next.map(({ guid }) => guid),
        hidden: next.filter(({ hidden }) => hidden === true).map(({ guid }) => guid),
      },
    })
  const move = (from: number, to: number) => {
    const next = [...badges]
    const [moved] = next.splice(from, 1)
    if (moved === undefined) return
    next.splice(to, 0, moved)
    send(next)
  }
  return (
    <Section title={words('badges.arrange')}>
      {show.error && <Failure error={show.error} again={show.again} isTrying={show.isSending} />}
      <ol className="lines">
        {badges.map((badge, place) => (
          <li key={badge.guid} className={`${styles.badge} ${badge.hidden === true ? 'muted' : ''}`}>
            <div>
              <p className="strong">
                <bdi>{badge.name}</bdi>
              </p>
              <p className="small muted">
                <bdi>{badge.tournament?.name ?? badge.description}</bdi>, <Instant at={badge.awardedAt} as="day" />
              </p>
            </div>
            <div className="btns">
              <button
                type="button"
                className="btn btn-quiet"
                aria-disabled={place === 0 || show.isSending}
                onClick={() => move(place, place - 1)}
              >
                {words('badges.up')}
                <span className="unseen"> {badge.name}</span>
              </button>
              <button
                type="button"
                className="btn btn-quiet"
                aria-disabled={place === badges.length - 1 || show.isSending}
                onClick={() => move(place, place + 1)}
              >
                {words('badges.down')}
                <span className="unseen"> {badge.name}</span>
              </button>
              <label className="choice">
                <input
                  type="checkbox"
                  checked={badge.hidden !== true}
                  aria-disabled={show.isSending}
                  onChange={({ target }) =>
                    send(badges.map((each) => (each.guid === badge.guid ? hiddenIf(each, !target.checked) : each)))
                  }
                />
                {words('badges.shown')}
                <span className="unseen"> {badge.name}</span>
              </label>
            </div>
          </li>
        ))}
      </ol>
    </Section>
  )
}

function hiddenIf({ hidden: _, ...badge }: HeldBadge, isHidden: boolean): HeldBadge {
  return isHidden ? { ...badge, hidden: true } : badge
}
