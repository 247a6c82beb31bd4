-- Of runs of answers, how many quarters of an hour they are long. Their times are milliseconds.
CREATE FUNCTION quarters_of(runs jsonb) RETURNS integer LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT coalesce(sum(((run->>'end')::bigint - (run->>'start')::bigint) / 900000), 0)::integer
  FROM jsonb_array_elements(runs) run
$$;--> statement-breakpoint
ALTER TABLE "availability_responses" ADD COLUMN "count" integer GENERATED ALWAYS AS (quarters_of(runs) + jsonb_array_length(matches)) STORED NOT NULL;--> statement-breakpoint
ALTER TABLE "availability_team_responses" ADD COLUMN "quarters" integer GENERATED ALWAYS AS (quarters_of(runs)) STORED NOT NULL;