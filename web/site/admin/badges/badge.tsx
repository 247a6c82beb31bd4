import { Link, useNavigate, useParams } from '@tanstack/react-router'
import { FaultOf } from '../../chrome/faults.tsx'
import { address } from '../../data/api.ts'
import type { Badge } from '../../data/generated.ts'
import { useRead } from '../../data/queries.ts'
import { words } from '../../data/words.ts'
import { useWrite } from '../../data/writes.ts'
import { Picture } from '../../parts/badge.tsx'
import { Danger } from '../../parts/danger.tsx'
import { Failure, Loaded } from '../../parts/loaded.tsx'
import { Section } from '../../parts/section.tsx'
import { Instant } from '../../parts/time.tsx'
import { BadgeForm } from './badge-form.tsx'
import styles from './badges.module.css'
import { Holders } from './holders.tsx'

/** A badge for those who manage badges: its record, who holds it, and whether it can be given. */
export function AdminBadge() {
  const { badge } = useParams({ from: '/admin/badges/$badge' })
  const read = useRead(address('/badges/{badge}', { badge }))
  if (read.data === undefined && read.error !== null)
    return <FaultOf error={read.error} again={() => void read.refetch()} />
  return (
    <div className="page wide stack">
      <Loaded of={read} rows={8} hasTitle>
        {(found) => <Whole badge={found} />}
      </Loaded>
    </div>
  )
}

function Whole({ badge }: { readonly badge: Badge }) {
  const { guid, name, kind, imageUrl, holders, retiredAt } = badge
  return (
    <>
      <div className="title">
        <div className={styles.head}>
          <Picture address={imageUrl} name={name} isLarge />
          <div>
            <h1>
              <bdi>{name}</bdi>
            </h1>
            <p>
              {words(`badges.${kind}`)}, {words('badges.holders', { count: holders })}
              {retiredAt !== null && (
                <>
                  , {words('badges.retired')} <Instant at={retiredAt} as="day" />
                </>
              )}
            </p>
          </div>
        </div>
        <Link to="/badges/$badge" params={{ badge: guid }} className="btn">
          {words('admin-awards.public')}
        </Link>
      </div>
      <Holders badge={badge} />
      <Section title={words('admin-badges.record')}>
        <BadgeForm badge={badge} />
      </Section>
      <Section title={words('admin-badges.end')}>
        <div className={styles.end}>{retiredAt === null ? <Retirement badge={badge} /> : <Return badge={badge} />}</div>
        {holders === 0 && (
          <div className={styles.end}>
            <Deletion badge={badge} />
          </div>
        )}
      </Section>
    </>
  )
}

const useRetired = () =>
  useWrite('PATCH /badges/{badge}', (known, after) => {
    known.put(address('/badges/{badge}', { badge: after.guid }), after)
    known.renew('/badges?')
  })

function Retirement({ badge: { guid, name, holders } }: { readonly badge: Badge }) {
  const retire = useRetired()
  return (
    <>
      <p>{words('admin-badges.retire-about')}</p>
      <Danger
        label={words('admin-badges.retire')}
        title={words('admin-badges.retire-title', { name })}
        error={retire.error}
        isSending={retire.isSending}
        act={() => retire.send({ params: { badge: guid }, body: { retired: true } })}
      >
        <p>{words('admin-badges.retire-what', { count: holders })}</p>
        <p className="muted">{words('admin-badges.retire-undo')}</p>
      </Danger>
    </>
  )
}

function Return({ badge: { guid } }: { readonly badge: Badge }) {
  const back = useRetired()
  const send = () => void back.send({ params: { badge: guid }, body: { retired: false } })
  return (
    <>
      <p>{words('admin-badges.retired-now')}</p>
      <button type="button" className="btn" aria-disabled={back.isSending} onClick={send}>
        {words('admin-badges.unretire')}
      </button>
      {back.error && <Failure error={back.error} again={send} isTrying={back.isSending} />}
    </>
  )
}

function Deletion({ badge: { guid, name } }: { readonly badge: Badge }) {
  const navigate = useNavigate()
  const remove = useWrite('DELETE /badges/{badge}', (known) => {
    void navigate({ to: '/admin/badges' })
    known.renew('/badges?')
  })
  return (
    <>
      <p>{words('admin-badges.delete-what')}</p>
      <Danger
        label={words('admin-badges.delete')}
        title={words('admin-badges.delete-title', { name })}
        typed={name}
        error={remove.error}
        isSending={remove.isSending}
        act={() => remove.send({ params: { badge: guid } })}
      >
        <p>{words('admin-badges.delete-what')}</p>
      </Danger>
    </>
  )
}
