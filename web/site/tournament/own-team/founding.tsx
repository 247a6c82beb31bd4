import { Link } from '@tanstack/react-router'
import type { TournamentWithParts, UserCard } from '../../../../client/generated.ts'
import { address } from '../../data/api.ts'
import { useRead } from '../../data/queries.ts'
import { useTournamentId } from '../../data/tournament.ts'
import { words } from '../../data/words.ts'
import { useWrite } from '../../data/writes.ts'
import { TextField } from '../../parts/form/fields.tsx'
import { Form, Save } from '../../parts/form/form.tsx'
import { useForm } from '../../parts/form/use-form.ts'
import { Invitation } from '../../parts/invitation.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { Section } from '../../parts/section.tsx'
import { Instant } from '../../parts/time.tsx'
import { eligibilityAddress } from '../../team/changed.ts'
import styles from '../../team/team.module.css'

interface Props {
  readonly tournament: TournamentWithParts
  readonly user: UserCard
  readonly heading: React.Ref<HTMLHeadingElement>
}

/** Makes a team, for a reader who is in none, or joins one; whether it could register is shown before. */
export function Founding({ tournament, user, heading }: Props) {
  const id = useTournamentId()
  const eligibility = useRead(eligibilityAddress(id))
  const form = useForm({ key: `team-${tournament.guid}`, saved: { teamName: '', pronunciation: '' } })
  const found = useWrite('POST /tournaments/{tournament}/teams', (known) => {
    form.take()
    known.renew('/userWithOngoingTournaments/')
    known.renew(`/tournaments/${id}`)
  })
  const isSolo = tournament.teamSize.max === 1
  return (
    <>
      <h1 ref={heading} tabIndex={-1}>
        {words('own-team.title')}
      </h1>
      <Invitations tournament={tournament} />
      <Section title={words('own-team.none')}>
        <div className={styles.founding}>
          <p>
            {words(isSolo ? 'own-team.enter-alone' : 'own-team.enter', {
              min: tournament.teamSize.min,
              max: tournament.teamSize.max,
            })}
          </p>
          <Loaded of={eligibility} rows={2}>
            {({ registration, players }) => (
              <>
                {registration.state === 'not_open_yet' && registration.opensAt !== null && (
                  <p>
                    {words('own-team.opens')} <Instant at={registration.opensAt} zone={tournament.timezone} />.
                  </p>
                )}
                {players.flatMap(({ failures }) =>
                  failures
                    .filter(({ code }) => code !== 'team.none' && !code.startsWith('field.'))
                    .map(({ code, message }) => (
                      <p key={code} className="notice notice-warning">
                        <bdi>{message}</bdi>
                      </p>
                    )),
                )}
              </>
            )}
          </Loaded>
          <Form
            error={found.error}
            isChanged={form.isChanged}
            onSubmit={() =>
              found.send({
                params: { tournament: id },
                body: { captainId: user.guid, ...form.changed },
              })
            }
          >
            <TextField form={form} name="teamName" label={words('own-team.name')} maxLength={50} isRequired={!isSolo} />
            <TextField
              form={form}
              name="pronunciation"
              label={words('spoken.field')}
              hint={words('spoken.hint')}
              maxLength={80}
            />
            <Save isSending={found.isSending}>{words('own-team.found')}</Save>
          </Form>
          {!isSolo && (
            <p className="muted">
              {words('own-team.or-invited')} <bdi className="strong">{user.preferredName}</bdi>.{' '}
              <Link to="/t/$tournament/teams" params={{ tournament: tournament.id }}>
                {words('registration.see-teams')}
              </Link>
            </p>
          )}
        </div>
      </Section>
    </>
  )
}

/** Invitations into teams of this tournament, which appear as they are sent. */
function Invitations({ tournament }: { readonly tournament: TournamentWithParts }) {
  const all = useRead(address('/users/@me/invitations', {}), { live: true }).data ?? []
  const here = all.filter((each) => each.tournament.guid === tournament.guid)
  if (here.length === 0) return null
  return (
    <Section title={words('own-team.invited')}>
      <ul className="lines">
        {here.map((invitation) => (
          <li key={invitation.guid}>
            <Invitation invitation={invitation} />
          </li>
        ))}
      </ul>
    </Section>
  )
}
