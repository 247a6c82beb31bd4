import { useState } from 'react'
import type { ReviewedRequest, TournamentWithParts } from '../../../client/generated.ts'
import type { ApiError } from '../data/api.ts'
import type { OwnPlatform, VisibilityDecision } from '../data/generated.ts'
import { ownPlatformsAddress } from '../data/platforms.ts'
import { words } from '../data/words.ts'
import { useWrite } from '../data/writes.ts'
import { Danger } from '../parts/danger.tsx'
import { TextField } from '../parts/form/fields.tsx'
import { Form } from '../parts/form/form.tsx'
import { useForm } from '../parts/form/use-form.ts'
import { Key } from '../parts/key.tsx'
import { Instant } from '../parts/time.tsx'
import { RequestState } from './line.tsx'
import styles from './review.module.css'

/** The decision on a request. Somebody else's decision is shown before it is replaced, and what was typed stays. (W10) */

interface Props {
  readonly platform: OwnPlatform
  readonly of: ReviewedRequest
  /** What a decision has an effect on; undefined while it is not known. */
  readonly counts: TournamentWithParts['counts'] | undefined
  /** The newest decision; undefined while there is none, or it is not known. */
  readonly latest: VisibilityDecision | undefined
  /** Reads the decisions again. */
  readonly renew: () => void
  readonly done: (request: ReviewedRequest) => void
}

type Decision = VisibilityDecision['decision']

export function Decide({ platform, of, counts, latest, renew, done }: Props) {
  const { guid, status, requestedAt, tournament } = of
  const form = useForm({ key: `review-${guid}`, saved: { reason: '' } })
  const [seen, setSeen] = useState(of.decidedAt)
  const review = useWrite(
    'POST /tournament-platforms/{platform}/requests/{visibilityRequest}/review',
    (known, { request }) => {
      form.take()
      setSeen(request.decidedAt)
      known.renew(`/tournament-platforms/${platform.contextId}/requests`)
      known.renew(ownPlatformsAddress)
      done(request)
    },
  )
  const { reason } = form.values
  const decide = async (decision: Decision): Promise<boolean> => {
    const body = { decision, ...(reason !== '' && { reason }), expectedDecidedAt: seen }
    const isDone = await review.send({ params: { platform: platform.contextId, visibilityRequest: guid }, body })
    if (!isDone) renew()
    return isDone
  }
  // Texts of instants in one form have the order of time.
  const meanwhile = latest !== undefined && latest.decidedAt > (seen ?? requestedAt) ? latest : undefined
  if (status === 'withdrawn') return <p className="notice">{words('review.withdrawn')}</p>
  const isApproved = status === 'approved'
  const isHeld = meanwhile !== undefined || review.isSending
  const shared = { of, platform, reason, counts, error: review.error, isHeld, decide }
  const answer = (isKept: boolean) => {
    review.reset()
    setSeen(latest?.decidedAt ?? seen)
    if (!isKept) form.take()
  }
  return (
    <div className="stack">
      <Form
        error={meanwhile === undefined ? review.error : null}
        say={sayOf}
        isChanged={form.isChanged}
        onSubmit={() => {}}
      >
        {meanwhile !== undefined && <Meanwhile of={meanwhile} hasTyped={reason !== ''} answer={answer} />}
        <TextField
          form={form}
          name="reason"
          label={words('review.reason')}
          hint={words('review.reason-hint')}
          rows={3}
          maxLength={2_000}
        />
      </Form>
      <div className={styles.acts}>
        {/* Not within the form, since dialogs have forms of their own. */}
        <div className="btns">
          {!isApproved && (
            <button
              type="button"
              className="btn btn-primary"
              data-key="a"
              aria-disabled={isHeld}
              onClick={() => void decide('approved')}
            >
              <span>{words('review.approve')}</span> <Key of="a" />
            </button>
          )}
          {status !== 'rejected' && !isApproved && (
            <button
              type="button"
              className="btn"
              data-key="r"
              aria-disabled={isHeld}
              onClick={() => void decide('rejected')}
            >
              <span>{words('review.reject')}</span> <Key of="r" />
            </button>
          )}
          {isApproved && <Revocation {...shared} />}
          {status !== 'blocked' && <Block {...shared} />}
        </div>
        {!isApproved && platform.isSystem && tournament.status === 'draft' && (
          <p className="small muted">{words('review.approve-what')}</p>
        )}
      </div>
    </div>
  )
}

const sayOf = ({ code, message }: ApiError): string =>
  code === 'visibility.reason_missing' ? words('review.reason-first') : message

interface MeanwhileProps {
  readonly of: VisibilityDecision
  readonly hasTyped: boolean
  readonly answer: (isKept: boolean) => void
}

function Meanwhile({ of: { decision, decidedBy, decidedAt, reason }, hasTyped, answer }: MeanwhileProps) {
  return (
    <div className="notice notice-warning" role="alert">
      <div className="push">
        <p>
          <strong>{words('review.meanwhile', { name: decidedBy.preferredName })}</strong>{' '}
          <RequestState status={decision} /> <Instant at={decidedAt} />
        </p>
        {reason !== null && (
          <p className={styles.reason} dir="auto">
            {reason}
          </p>
        )}
        {hasTyped && <p className="small muted">{words('review.kept')}</p>}
      </div>
      <div className="btns">
        <button type="button" className="btn" onClick={() => answer(false)}>
          {words('review.leave-it')}
        </button>
        <button type="button" className="btn" onClick={() => answer(true)}>
          {words('review.anew')}
        </button>
      </div>
    </div>
  )
}

interface ActProps extends Pick<Props, 'of' | 'platform' | 'counts'> {
  readonly reason: string
  readonly error: Error | null
  readonly isHeld: boolean
  readonly decide: (decision: Decision) => Promise<boolean>
}

/** The organiser loses a place in the list, and on the main list the tournament may become a draft again. (W19) */
function Revocation({ of: { tournament }, platform, counts, reason, error, isHeld, decide }: ActProps) {
  const { name } = tournament
  const isUndone = platform.isSystem && tournament.status === 'approved'
  return (
    <Danger
      label={words('review.revoke')}
      title={words('review.revoke-title', { name })}
      confirm={words('review.revoke')}
      isReady={reason !== '' && counts !== undefined}
      error={error}
      isSending={isHeld}
      act={() => decide('rejected')}
    >
      <p>
        {words(isUndone ? 'review.revoke-draft' : 'review.revoke-list', {
          platform: platform.name,
          teams: counts?.teams ?? 0,
          players: counts?.players ?? 0,
        })}
      </p>
      <Reason text={reason} />
      <p className="muted">{words('review.revoke-undo')}</p>
    </Danger>
  )
}

/** On the main list a block cancels the tournament, which no later decision takes back. (W19) */
function Block({ of: { tournament }, platform, counts, reason, error, isHeld, decide }: ActProps) {
  const { name, status } = tournament
  const cancels = platform.isSystem && status !== 'cancelled'
  return (
    <Danger
      label={words('review.block')}
      title={words('review.block-title', { name })}
      {...(cancels && { typed: name })}
      isReady={reason !== '' && counts !== undefined}
      error={error}
      isSending={isHeld}
      act={() => decide('blocked')}
    >
      <p>
        {words(cancels ? 'review.block-cancels' : 'review.block-list', {
          platform: platform.name,
          teams: counts?.teams ?? 0,
          players: counts?.players ?? 0,
        })}
      </p>
      <p>{words('review.block-hidden')}</p>
      <Reason text={reason} />
      <p className="muted">{words(cancels ? 'review.block-final' : 'review.block-undo')}</p>
    </Danger>
  )
}

function Reason({ text }: { readonly text: string }) {
  if (text === '') return <p className="notice notice-warning">{words('review.reason-first')}</p>
  return (
    <p>
      <span className="muted">{words('review.reason')}</span> <bdi className={styles.reason}>{text}</bdi>
    </p>
  )
}
