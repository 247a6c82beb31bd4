DROP INDEX "matches_calendar";--> statement-breakpoint
CREATE INDEX "matches_calendar" ON "matches" USING btree ((case
    when "started_at" is distinct from "completed_at" and "started_at" is not null then "started_at"
    when "completed_at" <= "scheduled_at" and "outcome" not in ('bye', 'walkover', 'double_forfeit')
      then ("completed_at" at time zone 'UTC' - make_interval(mins => 10 * "best_of")) at time zone 'UTC'
    else "scheduled_at" end),"guid") WHERE "matches"."scheduled_at" is not null;--> statement-breakpoint
CREATE INDEX "matches_calendar_of_tournament" ON "matches" USING btree ("tournament_guid",(case
    when "started_at" is distinct from "completed_at" and "started_at" is not null then "started_at"
    when "completed_at" <= "scheduled_at" and "outcome" not in ('bye', 'walkover', 'double_forfeit')
      then ("completed_at" at time zone 'UTC' - make_interval(mins => 10 * "best_of")) at time zone 'UTC'
    else "scheduled_at" end),"guid") WHERE "matches"."scheduled_at" is not null;
