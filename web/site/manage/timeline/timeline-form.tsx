import { useQueryClient } from '@tanstack/react-query'
import type { TournamentWithParts } from '../../../../client/generated.ts'
import type { ApiError } from '../../data/api.ts'
import { tournamentAddress, useTournamentId } from '../../data/tournament.ts'
import { words } from '../../data/words.ts'
import { useWrite } from '../../data/writes.ts'
import { Form, SavedBy } from '../../parts/form/form.tsx'
import { useForm } from '../../parts/form/use-form.ts'
import { Empty } from '../../parts/loaded.tsx'
import { Section } from '../../parts/section.tsx'
import { Timeline } from '../../parts/timeline.tsx'
import { SaveBar } from '../save-bar.tsx'
import { EventFields } from './event-fields.tsx'
import { type Events, eventsOf, inOrder, newEvent, shownEvents } from './events.ts'
import { useSavers } from './savers.ts'

/** All events in one form, saved once. Each event follows what others save; where both have changed it, one is chosen. (W10) */
export function TimelineForm({ tournament }: { readonly tournament: TournamentWithParts }) {
  const { guid, timeline = [] } = tournament
  const cache = useQueryClient()
  const at = useTournamentId()
  const saved = eventsOf(timeline)
  const form = useForm<Events>({ key: `timeline-${guid}`, saved, isByMember: true })
  const savedBy = useSavers(at, timeline)
  const save = useWrite('PUT /tournaments/{tournament}/timelineEvents', (known, { events }) => {
    form.take()
    known.change(tournamentAddress(at), (before) => ({ ...before, timeline: events }))
  })
  const order = Object.keys(saved)
  const added = Object.keys(form.values).filter((key) => !(key in saved))
  const kept = inOrder(form.values)
  const submit = async () => {
    const address = tournamentAddress(at)
    const before = JSON.stringify(saved)
    // The list is replaced as a whole: what others have saved meanwhile must be in it.
    await cache.refetchQueries({ queryKey: [address] })
    const now = cache.getQueryData<TournamentWithParts>([address])
    if (now !== undefined && JSON.stringify(eventsOf(now.timeline ?? [])) !== before) return
    await save.send({
      params: { tournament: guid },
      body: {
        timelineEvents: kept.map(([key, { description, startTime, ...event }]) => ({
          ...event,
          ...(key in saved && { guid: key }),
          description: description === '' ? null : description,
          startTime: startTime ?? '',
        })),
      },
    })
  }
  const say = ({ message }: ApiError) =>
    message.replace(/timelineEvents\[(\d+)\]/, (_, place: string) => kept[Number(place)]?.[1].title ?? place)
  return (
    <SavedBy value={savedBy}>
      <Timeline tournament={{ ...tournament, timeline: shownEvents(form.values) }} isWhole />
      <Form error={save.error} say={say} isChanged={form.isChanged} onSubmit={submit}>
        <Section title={words('timeline.events')}>
          {order.length + added.length === 0 && <Empty>{words('timeline.none')}</Empty>}
          <ol className="lines">
            {[...order, ...added].map((key) => (
              <EventFields key={key} id={key} form={form} isNew={!(key in saved)} tournament={tournament} />
            ))}
          </ol>
          <p>
            <button type="button" className="btn" onClick={() => form.set(`new ${crypto.randomUUID()}`, newEvent)}>
              {words('timeline.add')}
            </button>
          </p>
        </Section>
        <SaveBar form={form} isSending={save.isSending} isDone={save.isDone} />
      </Form>
    </SavedBy>
  )
}
