import { Link, useNavigate } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import type { Awards } from '../../../../client/generated.ts'
import { address } from '../../data/api.ts'
import { useRead } from '../../data/queries.ts'
import { words } from '../../data/words.ts'
import { useWrite } from '../../data/writes.ts'
import { Danger } from '../../parts/danger.tsx'
import { TextValue } from '../../parts/form/fields.tsx'
import { Section } from '../../parts/section.tsx'
import { State } from '../../parts/state.tsx'
import { Instant } from '../../parts/time.tsx'
import styles from './awards.module.css'
import { hasReached, isReady, phaseOf, phases, standing } from './editions.ts'
import { Due } from './page.tsx'

/** The phases of an edition: where it is, what each brings, and the next step with what it does. */

export function Steps({ awards }: { readonly awards: Awards }) {
  const { status, cancelReason, runoff } = awards
  const at = phaseOf(status)
  return (
    <>
      {cancelReason !== null && (
        <p className="notice notice-alert">
          <strong>{words('edition.cancelled')}:</strong> <bdi>{cancelReason}</bdi>
        </p>
      )}
      {status !== 'cancelled' && (
        <Section title={words('admin-awards.next')}>
          <div className={styles.next}>
            <p className="muted">
              {runoff?.closesAt != null ? (
                <>
                  {words('admin-awards.due-runoff')} <Instant at={runoff.closesAt} />
                </>
              ) : (
                <Due of={awards} />
              )}
            </p>
            <div className={styles.acts}>
              <Acts awards={awards} />
            </div>
          </div>
        </Section>
      )}
      <Section title={words('admin-awards.phases')}>
        <ol className="lines">
          {phases.map((phase, index) => (
            <li key={phase} className={styles.phase} aria-current={phase === status ? 'step' : undefined}>
              <State
                shape={index < at || status === 'published' ? 'done' : index === at ? 'running' : 'waiting'}
                tone={index === at && status !== 'published' ? 'run' : 'quiet'}
              >
                {words(`edition.${phase}`)}
              </State>
              <p>{words(`admin-awards.what-${phase}`)}</p>
            </li>
          ))}
        </ol>
      </Section>
    </>
  )
}

function Acts({ awards }: { readonly awards: Awards }) {
  const { status, categories, rules, id } = awards
  const count = categories.length
  const open = categories.filter((category) => !isReady(category))
  const nominees = categories.reduce((sum, { nominees }) => sum + (nominees?.length ?? 0), 0)
  const badges = categories.filter(({ badgeGuid }) => badgeGuid !== null).length
  if (status === 'draft')
    return (
      <>
        {count === 0 ? (
          <p>
            {words('admin-awards.no-categories')}{' '}
            <Link to="/admin/awards/$edition" params={{ edition: id }} search={{ part: 'categories' }}>
              {words('admin-awards.part-categories')}
            </Link>
          </p>
        ) : (
          <Step awards={awards} to="nominating" as="nominating">
            <p>{words('admin-awards.does-nominating', { count })}</p>
          </Step>
        )}
        <Deletion awards={awards} />
      </>
    )
  return (
    <>
      {status === 'nominating' && (
        <Step awards={awards} to="shortlisting" as="shortlisting">
          <p>{words('admin-awards.does-shortlisting', { nominees, count })}</p>
        </Step>
      )}
      {status === 'shortlisting' && open.length === 0 && (
        <Step awards={awards} to="voting" as="voting">
          <p>{words('admin-awards.does-voting', { nominees, count })}</p>
        </Step>
      )}
      {status === 'shortlisting' && open.length > 0 && (
        <div className="notice notice-warning">
          <div>
            <p>{words('admin-awards.not-ready', { count: open.length, all: count })}</p>
            <ul>
              {open.map((category) => (
                <li key={category.guid}>
                  <Link
                    to="/admin/awards/$edition"
                    params={{ edition: id }}
                    search={{ part: 'nominations', category: category.guid }}
                  >
                    <bdi>{category.name}</bdi>
                  </Link>{' '}
                  {words('admin-awards.on-list', { count: standing(category).length, most: category.shortlistSize })}
                </li>
              ))}
            </ul>
          </div>
        </div>
      )}
      {status === 'voting' && (
        <Step awards={awards} to="counting" as="counting" isFinal>
          <VotersOf awards={awards} />
          <p>{words('admin-awards.does-counting')}</p>
        </Step>
      )}
      {status === 'counting' && (
        <Step awards={awards} to="published" as="published" isFinal>
          <VotersOf awards={awards} />
          <p>{words('admin-awards.does-published', { count, badges })}</p>
          {rules.tie === 'runoff' && <p>{words('admin-awards.does-fix')}</p>}
        </Step>
      )}
      {status === 'counting' && rules.tie === 'runoff' && (
        <Step awards={awards} to="voting" as="runoff" isFinal>
          <p>{words('admin-awards.does-runoff')}</p>
          <p>{words('admin-awards.does-fix')}</p>
        </Step>
      )}
      {status === 'published' && (
        <p>
          {words('admin-awards.correct')}{' '}
          <Link to="/admin/awards/$edition" params={{ edition: id }} search={{ part: 'count' }}>
            {words('admin-awards.part-count')}
          </Link>
        </p>
      )}
      {status !== 'published' && <Cancel awards={awards} />}
    </>
  )
}

const useStep = () =>
  useWrite('POST /awards/{edition}/status', (known) => {
    known.renew('/awards')
    known.renew('/admin/awards')
  })

interface StepProps {
  readonly awards: Awards
  readonly to: Awards['status']
  readonly as: 'nominating' | 'shortlisting' | 'voting' | 'counting' | 'published' | 'runoff'
  /** What it takes cannot be had again. */
  readonly isFinal?: boolean
  readonly children: ReactNode
}

function Step({ awards: { guid, title }, to, as, isFinal = false, children }: StepProps) {
  const take = useStep()
  return (
    <Danger
      label={words(`admin-awards.to-${as}`)}
      title={words(`admin-awards.to-${as}`)}
      error={take.error}
      isSending={take.isSending}
      isPlain
      {...(isFinal && { typed: title })}
      act={() => take.send({ params: { edition: guid }, body: { status: to } })}
    >
      {children}
      <p>{words('admin-awards.no-way-back')}</p>
    </Danger>
  )
}

function VotersOf({ awards: { guid } }: { readonly awards: Awards }) {
  const turnout = useRead(address('/admin/awards/{edition}/turnout', { edition: guid })).data
  if (turnout === undefined) return null
  return <p className="strong">{words('admin-awards.voted', { count: turnout.voters })}</p>
}

function Cancel({ awards }: { readonly awards: Awards }) {
  const { guid, title, status } = awards
  const [reason, setReason] = useState('')
  const cancel = useStep()
  return (
    <Danger
      label={words('admin-awards.cancel')}
      title={words('admin-awards.cancel-title', { title })}
      typed={title}
      isReady={reason.trim() !== ''}
      error={cancel.error}
      isSending={cancel.isSending}
      act={() => cancel.send({ params: { edition: guid }, body: { status: 'cancelled', reason: reason.trim() } })}
    >
      {hasReached(status, 'voting') && <VotersOf awards={awards} />}
      <p>{words('admin-awards.cancel-what')}</p>
      <TextValue
        name="reason"
        label={words('admin-awards.reason')}
        value={reason}
        change={setReason}
        maxLength={500}
        isRequired
      />
    </Danger>
  )
}

function Deletion({ awards: { guid, title, categories, updatedAt } }: { readonly awards: Awards }) {
  const navigate = useNavigate()
  const remove = useWrite('DELETE /awards/{edition}', (known) => {
    void navigate({ to: '/admin/awards' })
    known.renew('/awards')
  })
  return (
    <Danger
      label={words('admin-awards.delete')}
      title={words('admin-awards.delete-title', { title })}
      typed={title}
      error={remove.error}
      isSending={remove.isSending}
      act={() => remove.send({ params: { edition: guid }, query: { expectedUpdatedAt: updatedAt } })}
    >
      <p>{words('admin-awards.delete-what', { count: categories.length })}</p>
    </Danger>
  )
}
