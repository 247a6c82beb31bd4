import { Link, useNavigate } from '@tanstack/react-router'
import type { AvailabilitySheet, AvailabilityState } from '../../../../client/generated.ts'
import { useRead } from '../../data/queries.ts'
import { staffAddress, useMay, useTournamentId } from '../../data/tournament.ts'
import { words } from '../../data/words.ts'
import { useWrite } from '../../data/writes.ts'
import { Danger } from '../../parts/danger.tsx'
import { Section } from '../../parts/section.tsx'
import { useClock } from '../../parts/time.tsx'
import { availabilityAddress } from '../matches.ts'
import { Message } from '../message.tsx'
import { AnswerTable } from './answer-table.tsx'
import { askedBy } from './asked.ts'
import styles from './availability.module.css'
import { Overlap } from './overlap.tsx'
import { asksWhom, SheetState } from './sheet-list.tsx'
import { bodyOf, from, mayChange, valuesOf, withSheet } from './sheets.ts'

/** One sheet: its state, the times that suit most, and the answers of each. */

interface Props {
  readonly sheet: AvailabilitySheet
  readonly state: AvailabilityState
  readonly zone: string
}

export function SheetPart({ sheet, state, zone }: Props) {
  const tournament = useTournamentId()
  const may = useMay()
  const staff = useRead(staffAddress(tournament), { live: true }).data ?? []
  const asked = askedBy(sheet, staff)
  const silent = asked.filter(({ hasAnswered }) => !hasAnswered)
  const isTeams = sheet.audience === 'teams'
  const link = new URL(`/t/${encodeURIComponent(tournament)}/availability/${sheet.guid}`, location.href).href
  return (
    <>
      <Section
        title={<bdi>{sheet.title}</bdi>}
        beside={
          <span className="muted">
            {words('sheets.answered-of', { given: asked.length - silent.length, asked: asked.length })}
          </span>
        }
      >
        {sheet.description !== null && (
          <p className="prose" dir="auto">
            {sheet.description}
          </p>
        )}
        <dl className="facts">
          <dt>{words('sheets.asks')}</dt>
          <dd>{asksWhom(sheet)}</dd>
          <dt>{words('sheets.state')}</dt>
          <dd>
            <SheetState sheet={sheet} zone={zone} />
          </dd>
          <dt>{words('sheets.link')}</dt>
          <dd>
            <Link to="/t/$tournament/availability/$sheet" params={{ tournament, sheet: sheet.guid }}>
              {words('sheets.form')}
            </Link>
          </dd>
        </dl>
        <div className={`btns ${styles.acts}`}>
          {isTeams && silent.length > 0 && may('registration.message') && (
            <Message
              teams={silent.map(({ guid, name }) => ({ team: { guid, name } }))}
              label={words('sheets.remind', { count: silent.length })}
              text={words('sheets.reminder', { title: sheet.title, link })}
            />
          )}
          {mayChange(sheet, state) && <Acts sheet={sheet} />}
        </div>
      </Section>
      <Overlap sheet={sheet} asked={asked} zone={zone} />
      <AnswerTable sheet={sheet} asked={asked} zone={zone} />
    </>
  )
}

function Acts({ sheet }: { readonly sheet: AvailabilitySheet }) {
  const tournament = useTournamentId()
  const navigate = useNavigate({ from })
  const params = { tournament, sheet: sheet.guid }
  const put = useWrite('PUT /tournaments/{tournament}/availability/sheets/{sheet}', (known, after) =>
    known.change(availabilityAddress(tournament), (state) => withSheet(state, after)),
  )
  const remove = useWrite('DELETE /tournaments/{tournament}/availability/sheets/{sheet}', (known) => {
    known.change(availabilityAddress(tournament), (state) => ({
      ...state,
      sheets: state.sheets.filter(({ guid }) => guid !== sheet.guid),
    }))
    void navigate({ to: '.', search: {} })
  })
  const clock = useClock()
  const isClosed = sheet.closesAt !== null && Date.parse(sheet.closesAt) <= clock()
  const close = (closesAt: string | null) =>
    put.send({ params, body: bodyOf({ ...valuesOf(sheet), closesAt }, sheet.timezone) })
  return (
    <>
      <Link from={from} to="." search={{ sheet: sheet.guid, edit: 'yes' }} className="btn">
        {words('sheets.edit')}
      </Link>
      <button
        type="button"
        className="btn"
        aria-disabled={put.isSending}
        onClick={() => !put.isSending && void close(isClosed ? null : new Date(clock()).toISOString())}
      >
        {words(isClosed ? 'sheets.reopen' : 'sheets.close')}
      </button>
      <Danger
        label={words('sheets.delete')}
        title={words('sheets.delete-title', { title: sheet.title })}
        typed={sheet.title.trim()}
        error={remove.error}
        isSending={remove.isSending}
        act={() => remove.send({ params })}
      >
        <p>{words('sheets.delete-text', { count: sheet.teamSubmissions.length + peopleIn(sheet) })}</p>
      </Danger>
      <span role="status" className="muted">
        {put.isSending ? words('form.saving') : put.error !== null ? put.error.message : ''}
      </span>
    </>
  )
}

const peopleIn = ({ responses }: AvailabilitySheet) => new Set(responses.map(({ userGuid }) => userGuid)).size
