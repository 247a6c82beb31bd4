CREATE TABLE "bridge_tickets" (
	"guid" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"digest" "bytea" NOT NULL,
	"tournament_guid" uuid NOT NULL,
	"match_guid" uuid NOT NULL,
	"user_guid" uuid NOT NULL,
	"made_by" uuid,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "bridge_tickets" ADD CONSTRAINT "bridge_tickets_tournament_guid_tournaments_guid_fk" FOREIGN KEY ("tournament_guid") REFERENCES "public"."tournaments"("guid") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "bridge_tickets" ADD CONSTRAINT "bridge_tickets_match_guid_matches_guid_fk" FOREIGN KEY ("match_guid") REFERENCES "public"."matches"("guid") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "bridge_tickets" ADD CONSTRAINT "bridge_tickets_user_guid_users_guid_fk" FOREIGN KEY ("user_guid") REFERENCES "public"."users"("guid") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "bridge_tickets" ADD CONSTRAINT "bridge_tickets_made_by_users_guid_fk" FOREIGN KEY ("made_by") REFERENCES "public"."users"("guid") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "bridge_tickets_digest_unique" ON "bridge_tickets" USING btree ("digest");--> statement-breakpoint
CREATE UNIQUE INDEX "bridge_tickets_player_unique" ON "bridge_tickets" USING btree ("match_guid","user_guid");--> statement-breakpoint
CREATE INDEX "bridge_tickets_tournament" ON "bridge_tickets" USING btree ("tournament_guid");--> statement-breakpoint
CREATE INDEX "bridge_tickets_user" ON "bridge_tickets" USING btree ("user_guid");--> statement-breakpoint
CREATE INDEX "bridge_tickets_made_by" ON "bridge_tickets" USING btree ("made_by");--> statement-breakpoint
CREATE INDEX "bridge_tickets_expires" ON "bridge_tickets" USING btree ("expires_at");