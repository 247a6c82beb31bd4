import type { DivisionWithBrackets, ListedBracket } from '../../../../client/generated.ts'
import { divisionsAddress } from '../../data/tournament.ts'
import { words } from '../../data/words.ts'
import { useWrite } from '../../data/writes.ts'
import { Danger } from '../../parts/danger.tsx'
import { Losses } from './losses.tsx'

/** Deleting, after a look at what goes with it. (W19) */

/** Whether something was played, so that its name is typed before it goes. */
const isPlayed = ({ status }: ListedBracket): boolean => status === 'running' || status === 'completed'

export function DeleteBracket({
  bracket,
  tournament,
}: {
  readonly bracket: ListedBracket
  readonly tournament: string
}) {
  const { guid, name } = bracket
  const { send, error, isSending } = useWrite('DELETE /tournaments/{tournament}/brackets/{bracket}', (known) => {
    known.change(divisionsAddress(tournament), (divisions) =>
      divisions.map((division) => ({
        ...division,
        brackets: division.brackets.filter((each) => each.guid !== guid),
      })),
    )
  })
  return (
    <Danger
      label={words('draw.delete')}
      of={name}
      title={words('draw.delete-title', { name })}
      {...(isPlayed(bracket) && { typed: name })}
      error={error}
      isSending={isSending}
      act={() =>
        send({
          params: { tournament, bracket: guid },
          body: undefined,
          ...(isPlayed(bracket) && { query: { force: true } }),
        })
      }
    >
      <div>
        <p>{words('draw.delete-text')}</p>
        <Losses brackets={[guid]} />
      </div>
    </Danger>
  )
}

/** A division goes with all its brackets, unless something was played in one of them. */
export function DeleteDivision({
  division: { guid, name, brackets },
  tournament,
}: {
  readonly division: DivisionWithBrackets
  readonly tournament: string
}) {
  const { send, error, isSending } = useWrite('DELETE /tournaments/{tournament}/divisions/{division}', (known) => {
    known.change(divisionsAddress(tournament), (divisions) => divisions.filter((each) => each.guid !== guid))
  })
  const played = brackets.filter(isPlayed)
  return (
    <Danger
      label={words('draw.delete')}
      of={name}
      title={words('draw.delete-title', { name })}
      isReady={played.length === 0}
      error={error}
      isSending={isSending}
      act={() => send({ params: { tournament, division: guid } })}
    >
      {brackets.length === 0 ? (
        <p>{words('draw.delete-division-empty')}</p>
      ) : (
        <div>
          <p>{words('draw.delete-division-text', { count: brackets.length })}</p>
          <Losses brackets={brackets.map((each) => each.guid)} />
        </div>
      )}
      {played.length > 0 && (
        <p className="notice notice-warning">
          {words('draw.delete-division-played', { names: played.map((each) => each.name).join(', ') })}
        </p>
      )}
    </Danger>
  )
}
