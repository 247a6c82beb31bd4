import { Link } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import type { RegistrationState, TournamentWithParts } from '../../../../client/generated.ts'
import { address } from '../../data/api.ts'
import { useRead } from '../../data/queries.ts'
import { useMay, useTournamentId } from '../../data/tournament.ts'
import { words } from '../../data/words.ts'
import { useWrite } from '../../data/writes.ts'
import { TextField } from '../../parts/form/fields.tsx'
import { Form, Save } from '../../parts/form/form.tsx'
import { useForm } from '../../parts/form/use-form.ts'
import { Icon, StateIcon } from '../../parts/icon.tsx'
import { TeamName } from '../../parts/team.tsx'
import { Ago, Instant } from '../../parts/time.tsx'
import { BulkActs } from './acts.tsx'
import { ClaimLinks } from './claim-links.tsx'
import { type Entry, isBlocked, searchWith } from './desk.ts'
import styles from './registration.module.css'
import { answerText } from './sheet.ts'
import { PlaceState } from './table.tsx'
import { failuresOf, messagesOf } from './verdict.ts'

/** One team of the desk: its obstacles, who plays, what it answered, and what can be done. */

interface Props {
  readonly entry: Entry
  readonly tournament: TournamentWithParts
  readonly registration: RegistrationState
}

export function Detail({ entry, tournament, registration }: Props) {
  const may = useMay()
  const { team, since, changedAt } = entry
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    // Not where the page begins with it.
    if (document.activeElement !== document.body) heading.current?.focus({ preventScroll: true })
  }, [])
  return (
    <aside className={styles.detail} aria-label={team.name}>
      <header>
        <h2 ref={heading} tabIndex={-1}>
          <TeamName team={team} />
        </h2>
        <Link
          from="/manage/$tournament/registration"
          to="."
          search={(search) => searchWith(search, 'team', undefined)}
          className="btn btn-quiet btn-icon"
          aria-label={words('dialog.close')}
          resetScroll={false}
        >
          <Icon name="close" />
        </Link>
      </header>
      <p>
        <PlaceState entry={entry} />{' '}
        <span className="small muted">
          {words('desk.since')} <Instant at={since} zone={tournament.timezone} />
        </span>
      </p>
      {changedAt !== null && (
        <p className="small muted">
          {words('desk.changed')} <Ago at={changedAt} />
        </p>
      )}
      <Findings entry={entry} />
      <Roster entry={entry} tournament={tournament} />
      <Answers entry={entry} tournament={tournament} />
      {may('registration.setNote') && <NoteForm entry={entry} />}
      <div className={styles.acts}>
        {may('registration.qualify') && <BulkActs teams={[entry]} registration={registration} />}
        {may('teams.takeWithdrawalBack') && (
          <Link
            to="/manage/$tournament/teams/$team"
            params={{ tournament: tournament.id, team: team.id }}
            className="btn"
          >
            {words('manage-team.edit')}
          </Link>
        )}
        <Link to="/t/$tournament/teams/$team" params={{ tournament: tournament.id, team: team.id }} className="btn">
          {words('desk.page')}
        </Link>
      </div>
    </aside>
  )
}

function Findings({ entry }: { readonly entry: Entry }) {
  const messages = messagesOf(failuresOf(entry))
  return (
    <>
      <h3>{words(isBlocked(entry) ? 'desk.not-eligible' : 'desk.is-eligible')}</h3>
      <ul className={`lines ${styles.findings}`}>
        {messages.map((message) => (
          <li key={message}>
            <span className={styles.alert}>
              <StateIcon name="problem" />
            </span>
            <bdi>{message}</bdi>
          </li>
        ))}
        {messages.length === 0 && (
          <li>
            <StateIcon name="done" />
            {words('desk.all-met', { count: entry.members.length })}
          </li>
        )}
      </ul>
    </>
  )
}

function Roster({ entry: { team, members }, tournament }: Pick<Props, 'entry' | 'tournament'>) {
  const may = useMay()
  const id = useTournamentId()
  const full = useRead(address('/tournaments/{tournament}/teams/{team}', { tournament: id, team: team.guid }))
  const placeholders = new Set(
    full.data?.members.filter(({ user }) => user.isPlaceholder).map(({ user }) => user.guid) ?? [],
  )
  return (
    <>
      <h3>{words('desk.roster', { count: members.length })}</h3>
      <ul className={`lines ${styles.findings}`}>
        {members.map(({ guid, name, isCaptain, isActive }) => (
          <li key={guid}>
            <Link to="/u/$user" params={{ user: guid }} className="plain push">
              <bdi>{name}</bdi>
            </Link>
            <span className="small muted">
              {[
                ...(isCaptain ? [words('desk.is-captain')] : []),
                ...(isActive ? [] : [words('desk.is-reserve')]),
                ...(placeholders.has(guid) ? [words('desk.is-placeholder')] : []),
              ].join(', ')}
            </span>
            {placeholders.has(guid) && may('teams.import') && (
              <ClaimLinks placeholder={guid} name={name} tournament={tournament.guid} />
            )}
          </li>
        ))}
      </ul>
    </>
  )
}

function Answers({
  entry: { answers, members },
  tournament: { additionalFields },
}: Pick<Props, 'entry' | 'tournament'>) {
  if (additionalFields.length === 0) return null
  const nameOf = new Map(members.map(({ guid, name }) => [guid, name]))
  return (
    <>
      <h3>{words('desk.answers')}</h3>
      <dl className="facts">
        {additionalFields.map((field) => {
          const given = Object.groupBy(
            answers.filter(({ fieldGuid }) => fieldGuid === field.guid),
            ({ response }) => answerText(response, field) ?? '',
          )
          return [
            <dt key={`${field.guid} label`}>
              <bdi>{field.label}</bdi>
            </dt>,
            <dd key={field.guid}>
              {Object.keys(given).length === 0 && <span className="muted">{words('desk.unanswered')}</span>}
              {Object.entries(given).map(([text, those = []]) => (
                <p key={text}>
                  <bdi>{text}</bdi>{' '}
                  {field.subject === 'player' && (
                    <span className="small muted">
                      {those.length === members.length
                        ? words('desk.everybody')
                        : those.map(({ userGuid }) => nameOf.get(userGuid ?? '')).join(', ')}
                    </span>
                  )}
                </p>
              ))}
            </dd>,
          ]
        })}
      </dl>
    </>
  )
}

const maxNote = 2_000

function NoteForm({ entry: { team, note } }: { readonly entry: Entry }) {
  const params = { tournament: useTournamentId(), team: team.guid }
  const form = useForm({ key: `desk-note-${team.guid}`, saved: { note: note ?? '' } })
  const set = useWrite('PUT /tournaments/{tournament}/registrations/{team}/note', (known) => {
    form.take()
    known.renew(`/tournaments/${params.tournament}/registrations`)
  })
  return (
    <div className={styles.acts}>
      <Form
        className={styles.form}
        error={set.error}
        isChanged={form.isChanged}
        onSubmit={() => set.send({ params, body: { note: form.values.note === '' ? null : form.values.note } })}
      >
        <TextField form={form} name="note" label={words('desk.staff-note')} rows={3} maxLength={maxNote} />
        <Save isSending={set.isSending} isSaved={set.isDone && !form.isChanged} isDisabled={!form.isChanged}>
          {words('desk.save-note')}
        </Save>
      </Form>
    </div>
  )
}
