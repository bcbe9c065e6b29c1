"""Column names that look like data about persons, or like a secret."""

from __future__ import annotations

import re

_WORD_LIST = """
    account address allergy bank bic biometric birth birthdate birthday card cell citizen city
    contact cookie credential credentials cvc cvv diagnosis disability dob email emails ethnicity
    fax fingerprint firstname fullname gender genome geolocation health iban imei income insurance
    ip ipv4 ipv6 lastname latitude licence license location login longitude mac mail maiden medical
    mobile mrn name names nationality nhs nin nino pan passport password passwd patient person phone
    phones pin postcode postal prescription pwd race religion salary secret session sex sin
    ssn street subject surname swift taxid telephone tel token tokens user userid username wage
    whatsapp zip zipcode
"""
_WORDS = frozenset(_WORD_LIST.split())
_PHRASES = (
    "apikey", "privatekey", "accesskey", "nationalid", "taxnumber", "taxid", "deviceid",
    "socialsecurity", "dateofbirth", "birthplace", "emailaddress", "phonenumber", "ipaddress",
)  # fmt: skip


def looks_sensitive(name: str) -> bool:
    """Whether a name reads like data about persons or a secret; it errs towards yes.

    Words are taken apart at underscores, marks and capitals: `PatientDOB`, `e_mail`, `phone2`.
    """
    parts = re.sub(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", "_", name)
    words = [word for word in re.split(r"[\W_]+", parts.casefold()) if word]
    if any(word in _WORDS or word.rstrip("0123456789") in _WORDS for word in words):
        return True
    joined = "".join(words)
    return joined in _WORDS or any(phrase in joined for phrase in _PHRASES)
