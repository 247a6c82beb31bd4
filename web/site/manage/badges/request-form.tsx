import type { BadgeRequest } from '../../data/generated.ts'
import { useTournamentId } from '../../data/tournament.ts'
import { words } from '../../data/words.ts'
import { useWrite } from '../../data/writes.ts'
import { TextField } from '../../parts/form/fields.tsx'
import { Form, Save } from '../../parts/form/form.tsx'
import { useForm } from '../../parts/form/use-form.ts'
import { BadgeFields } from './badge-fields.tsx'
import styles from './badges.module.css'
import { type BadgeValues, bodyOf, emptyBadge, maxBadges, missingOf, type RequestValues } from './values.ts'

/** A request for badges, new or waiting. What is typed survives a reload. */

interface Props {
  readonly saved: RequestValues
  /** The request that is changed; null for a new one. */
  readonly request: BadgeRequest | null
  readonly done: () => void
}

export function RequestForm({ saved, request, done }: Props) {
  const tournament = useTournamentId()
  const form = useForm<RequestValues>({ key: `badges-${request?.guid ?? tournament}`, saved })
  const { message, badges } = form.values
  const then = () => {
    form.take()
    done()
  }
  const ask = useWrite('POST /tournaments/{tournament}/badgeRequests', (known) => {
    then()
    known.renew(`/tournaments/${tournament}/badgeRequests`)
  })
  const change = useWrite('PATCH /tournaments/{tournament}/badgeRequests/{badgeRequest}', (known) => {
    then()
    known.renew(`/tournaments/${tournament}/badgeRequests`)
  })
  const set = (at: number, next: BadgeValues) => form.set('badges', badges.with(at, next))
  const missing = missingOf(form.values)
  const isSending = ask.isSending || change.isSending
  const send = () => {
    const body = bodyOf({ message, badges })
    if (request === null) return ask.send({ params: { tournament }, body })
    return change.send({
      params: { tournament, badgeRequest: request.guid },
      body: { ...body, expectedUpdatedAt: request.updatedAt },
    })
  }
  return (
    <Form error={ask.error ?? change.error} isChanged={form.isChanged} onSubmit={() => missing.length === 0 && send()}>
      <ol className={styles.badges}>
        {badges.map((badge, at) => (
          <li key={badge.key}>
            <BadgeFields
              badge={badge}
              set={(next) => set(at, next)}
              remove={() => form.set('badges', badges.toSpliced(at, 1))}
            />
          </li>
        ))}
      </ol>
      {badges.length < maxBadges && (
        <button type="button" className="btn" onClick={() => form.set('badges', [...badges, emptyBadge()])}>
          {words('manage-badges.add')}
        </button>
      )}
      <TextField
        form={form}
        name="message"
        label={words('manage-badges.message')}
        hint={words('manage-badges.message-hint')}
        rows={3}
        maxLength={2_000}
      />
      {missing.length > 0 && (
        <ul className={`notice notice-warning ${styles.missing}`}>
          {missing.map((what) => (
            <li key={what}>{words(`manage-badges.missing-${what}`)}</li>
          ))}
        </ul>
      )}
      <div className="btns">
        <Save isSending={isSending} isDisabled={missing.length > 0}>
          {words(request === null ? 'manage-badges.send' : 'form.save')}
        </Save>
        {request !== null && (
          <button type="button" className="btn" onClick={then}>
            {words('danger.cancel')}
          </button>
        )}
      </div>
    </Form>
  )
}
