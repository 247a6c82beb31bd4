import { words } from '../../data/words.ts'
import type { FormState } from '../../parts/form/use-form.ts'
import { Loaded } from '../../parts/loaded.tsx'
import { sideName } from '../../parts/match.tsx'
import { useRoundNames } from '../../parts/rounds.ts'
import { isOpen, useMatches } from '../matches.ts'
import styles from './availability.module.css'
import type { SheetValues } from './sheets.ts'

/** The matches that a sheet for staff asks about. */
export function MatchChoices({ form }: { readonly form: FormState<SheetValues> }) {
  const { matchGuids } = form.values
  const roundOf = useRoundNames()
  return (
    <fieldset>
      <legend className="strong">{words('sheets.about-matches')}</legend>
      <Loaded of={useMatches()} rows={6}>
        {(matches) => {
          const open = matches.filter((match) => isOpen(match) || matchGuids.includes(match.guid))
          return (
            <>
              <div className="btns">
                <button
                  type="button"
                  className="btn"
                  onClick={() =>
                    form.set(
                      'matchGuids',
                      open.map(({ guid }) => guid),
                    )
                  }
                >
                  {words('sheets.all-matches')}
                </button>
                <button type="button" className="btn" onClick={() => form.set('matchGuids', [])}>
                  {words('sheets.no-matches')}
                </button>
              </div>
              <div className={styles.matches}>
                {open.map((match) => (
                  <label key={match.guid} className="choice">
                    <input
                      type="checkbox"
                      checked={matchGuids.includes(match.guid)}
                      onChange={({ target }) =>
                        form.set(
                          'matchGuids',
                          target.checked
                            ? [...matchGuids, match.guid]
                            : matchGuids.filter((guid) => guid !== match.guid),
                        )
                      }
                    />
                    <span>
                      <span className="code">{match.number}</span> <bdi>{match.sides.map(sideName).join(', ')}</bdi>{' '}
                      <span className="small muted">{roundOf(match)}</span>
                    </span>
                  </label>
                ))}
              </div>
            </>
          )
        }}
      </Loaded>
    </fieldset>
  )
}
