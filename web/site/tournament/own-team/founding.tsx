import type { TournamentWithParts, UserCard } from '../../../../client/generated.ts'
import { useRead } from '../../data/queries.ts'
import { useTournamentId } from '../../data/tournament.ts'
import { words } from '../../data/words.ts'
import { useWrite } from '../../data/writes.ts'
import { TextField } from '../../parts/form/fields.tsx'
import { Form, Save } from '../../parts/form/form.tsx'
import { useForm } from '../../parts/form/use-form.ts'
import { Loaded } from '../../parts/loaded.tsx'
import { Section } from '../../parts/section.tsx'
import { Instant } from '../../parts/time.tsx'
import styles from './own-team.module.css'
import { eligibilityAddress } from './reads.ts'

/** Makes a team, for a reader who is in none; whether it could register is shown before. */
export function Founding({ tournament, user }: { readonly tournament: TournamentWithParts; readonly user: UserCard }) {
  const id = useTournamentId()
  const eligibility = useRead(eligibilityAddress(id))
  const form = useForm({ key: `team-${tournament.guid}`, saved: { teamName: '' } })
  const found = useWrite('POST /tournaments/{tournament}/teams', (known) => {
    form.take()
    known.renew('/userWithOngoingTournaments/')
    known.renew(`/tournaments/${id}`)
  })
  const isSolo = tournament.teamSize.max === 1
  return (
    <>
      <h1>{words('own-team.title')}</h1>
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
                body: { captainId: user.guid, ...(form.values.teamName !== '' && { teamName: form.values.teamName }) },
              })
            }
          >
            <TextField form={form} name="teamName" label={words('own-team.name')} maxLength={50} isRequired={!isSolo} />
            <Save isSending={found.isSending}>{words('own-team.found')}</Save>
          </Form>
          <p className="muted">{words('own-team.or-invited')}</p>
        </div>
      </Section>
    </>
  )
}
