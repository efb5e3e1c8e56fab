import { type MigrationInterface, type QueryRunner } from 'typeorm';

/**
 * Adds the credential that created an endpoint and may read its keys. An own endpoint has no such credential: the owner
 * of its subscription reads the keys. A deleted endpoint leaves all selections.
 */
export class AddCredentialOfEndpoints1795220772000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(COLUMN);
    await runner.query(CHANGE);
    await runner.query(LEAVE_SELECTIONS);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TRIGGER tr_notification_endpoints_leave_selections ON notification_endpoints');
    await runner.query(BEFORE);
    await runner.query('ALTER TABLE notification_endpoints DROP COLUMN credential_id');
  }
}

const COLUMN = `
ALTER TABLE notification_endpoints
  ADD COLUMN credential_id bigint,
  ADD CONSTRAINT fk_notification_endpoints_credential FOREIGN KEY (credential_id) REFERENCES credentials (id) NOT VALID`;

const LEAVE_SELECTIONS = `
CREATE TRIGGER tr_notification_endpoints_leave_selections AFTER DELETE ON notification_endpoints
  REFERENCING OLD TABLE AS deleted FOR EACH STATEMENT EXECUTE FUNCTION leave_selections()`;

/** A new owner of the subscription changes the owner of its endpoint. A new destination keeps the owner. */
const CHANGE = functionWith(`CASE WHEN OLD.owner_id IS DISTINCT FROM NEW.owner_id
      THEN (SELECT recruiter_id FROM credentials WHERE id = NEW.owner_id) ELSE owner_id END`);

const BEFORE = functionWith('(SELECT recruiter_id FROM credentials WHERE id = NEW.owner_id)');

function functionWith(owner: string): string {
  return `
CREATE OR REPLACE FUNCTION change_own_endpoint() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  UPDATE notification_endpoints
  SET destination_url = NEW.destination_url, updated_dt = NEW.updated_dt,
    owner_id = ${owner},
    name = CASE name WHEN left(split_part(OLD.destination_origin, '//', 2), 255)
      THEN left(split_part(NEW.destination_origin, '//', 2), 255) ELSE name END
  WHERE own_subscription_id = NEW.id;
  RETURN NULL;
END $$`;
}
