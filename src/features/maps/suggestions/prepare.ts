import type { SignedIn } from '../../../core/actor.ts'
import type { Db } from '../../../infra/db/database.ts'
import { isPooler } from '../../tournaments/access/policy.ts'
import { type Asking, lookUpMap, type MapInput, type NamedMap } from '../pools/prepare.ts'
import { readPoolingSettings } from '../pools/store/flairs.ts'
import { checkMaySuggest } from './policy.ts'
import { checkOwn } from './rules.ts'
import { countOf } from './store/suggestions.ts'

/**
 * Looks up the suggested map in the catalogue. Checks the caller's rights and limits first, so that a refused request
 * does not reach the catalogue.
 * @throws Problem `role.missing`, `suggestion.too_many`, `suggestion.limit_reached`, and the problems of `lookUpMap`
 */
export async function lookUpSuggested(db: Db, actor: SignedIn, input: MapInput, asking: Asking): Promise<NamedMap> {
  if (!isPooler(actor)) {
    checkMaySuggest(actor, await readPoolingSettings(db, asking.tournament.guid))
    checkOwn(await countOf(db, asking.tournament.guid, actor.guid), false)
  }
  return lookUpMap(input, asking)
}
