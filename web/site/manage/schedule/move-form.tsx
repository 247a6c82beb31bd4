import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useMemo } from 'react'
import type { Match } from '../../../../client/generated.ts'
import { ApiError } from '../../data/api.ts'
import { useTournamentId } from '../../data/tournament.ts'
import { words } from '../../data/words.ts'
import { useWrite } from '../../data/writes.ts'
import { SelectField } from '../../parts/form/fields.tsx'
import { Form, Save } from '../../parts/form/form.tsx'
import { InstantField } from '../../parts/form/instant.tsx'
import { useForm } from '../../parts/form/use-form.ts'
import { fullOf } from '../../parts/time.tsx'
import { takeMatch } from '../matches.ts'
import { Clashes } from './clash-words.tsx'
import { clashesOf, isHard } from './clashes.ts'
import type { Plan } from './plan.ts'
import styles from './schedule.module.css'
import { WhoMoved } from './who-moved.tsx'

/** Where a match could be; an empty address is no channel. */
export interface Place {
  readonly scheduledAt: string | null
  readonly streamUrl: string
}

/** A move that was asked for outside of the fields: by drag, or by keys. */
export interface Intent {
  readonly guid: string
  readonly change: (place: Place) => Place
}

export const placeOf = ({ scheduledAt, streamUrl }: Match): Place => ({ scheduledAt, streamUrl: streamUrl ?? '' })

interface Props {
  readonly match: Match
  readonly plan: Plan
  readonly intent: Intent | null
  /** Told that the intent is carried out. */
  readonly used: () => void
  /** Told where the match would be; null once that is saved or given up. */
  readonly show: (place: Place | null) => void
}

/** Moves a match: what clashes is said before anything is saved; what somebody else saved meanwhile is compared. (W10) */
export function MoveForm({ match, plan, intent, used, show }: Props) {
  const tournament = useTournamentId()
  const cache = useQueryClient()
  const saved = useMemo(() => placeOf(match), [match])
  const form = useForm({ key: `move-${match.guid}`, saved })
  const save = useWrite('PATCH /tournaments/{tournament}/matches/{match}', (_known, after) => {
    form.take()
    takeMatch(cache, tournament, after)
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: each intent is carried out once
  useEffect(() => {
    if (intent === null || intent.guid !== match.guid) return
    form.change(intent.change(form.values))
    used()
  }, [intent])
  const { scheduledAt, streamUrl } = form.values
  const { isChanged } = form
  useEffect(() => show(isChanged ? { scheduledAt, streamUrl } : null), [show, isChanged, scheduledAt, streamUrl])
  useEffect(() => () => show(null), [show])

  const stream = streamUrl === '' ? null : streamUrl
  const clashes = scheduledAt === null ? [] : clashesOf(match, { at: Date.parse(scheduledAt), stream }, plan)
  const isClashing = clashes.some(isHard)
  const submit = async () => {
    const send = (revision: number) => {
      const { scheduledAt: at, streamUrl: url } = form.changed
      const body = {
        ...(at === undefined ? {} : { scheduledAt: at }),
        ...(url === undefined ? {} : { streamUrl: url === '' ? null : url }),
        revision,
      }
      return save.attempt({ params: { tournament, match: match.guid }, body })
    }
    const theirs = newerIn(await send(match.revision))
    if (theirs === null) return
    takeMatch(cache, tournament, theirs)
    // Somebody changed something else of it: that is no conflict.
    if (Object.keys(form.over(placeOf(theirs)).conflicts).length === 0) newerIn(await send(theirs.revision))
  }
  const conflicts = Object.keys(form.conflicts).length
  return (
    <Form
      className={styles.form}
      error={save.error}
      say={(error) => (error.code === 'match.stale' ? words('plan.stale') : error.message)}
      isChanged={isChanged}
      onSubmit={submit}
    >
      <InstantField form={form} name="scheduledAt" label={words('plan.when')} zone={plan.zone} />
      <SelectField form={form} name="streamUrl" label={words('plan.channel')} options={optionsOf(plan, match)} />
      {conflicts > 0 && <WhoMoved match={match} zone={plan.zone} />}
      <div role="status" className={styles.verdict}>
        {isChanged && (
          <p>
            {scheduledAt === null
              ? words('plan.loses-time')
              : words('plan.would-be', {
                  time: fullOf(scheduledAt, plan.zone),
                  channel: nameOf(plan, streamUrl),
                })}
          </p>
        )}
        {clashes.length > 0 && <Clashes of={clashes} zone={plan.zone} />}
        {isChanged && scheduledAt !== null && !isClashing && <p className="muted">{words('plan.no-clash')}</p>}
      </div>
      <div className="btns">
        <Save isSending={save.isSending} isSaved={save.isDone && !isChanged} isDisabled={!isChanged || conflicts > 0}>
          {words(isChanged && isClashing ? 'plan.save-anyway' : 'form.save')}
        </Save>
        {isChanged && (
          <button type="button" className="btn" onClick={() => form.take()}>
            {words('settings.discard')}
          </button>
        )}
        {!isChanged && scheduledAt !== null && (
          <button type="button" className="btn" onClick={() => form.set('scheduledAt', null)}>
            {words('plan.take-off')}
          </button>
        )}
      </div>
    </Form>
  )
}

/** The match as somebody else has changed it, where that is why a move was refused. */
function newerIn(failure: Error | null): Match | null {
  if (!(failure instanceof ApiError) || failure.code !== 'match.stale') return null
  return (failure.data.match as Match | undefined) ?? null
}

const nameOf = (plan: Plan, url: string) =>
  url === '' ? words('plan.no-channel') : (plan.channelByUrl.get(url)?.name ?? url)

function optionsOf(plan: Plan, { streamUrl }: Match): readonly (readonly [string, string])[] {
  const isElsewhere = streamUrl !== null && !plan.channelByUrl.has(streamUrl)
  return [
    ['', words('plan.no-channel')],
    ...plan.channels.map(({ url, name }) => [url, name] as const),
    ...(isElsewhere ? [[streamUrl, streamUrl] as const] : []),
  ]
}
